/** The places in A2A where an extension's data stands, in words and as examples show them. */
import type { Json, JsonObject } from '../../json.ts';
import type { ExtensionModel } from '../../model/contract.ts';
import type { DataEntry, DataLocation } from '../../manifest.ts';
import { toTypeName } from '../../names.ts';
import { printCode } from './escape.ts';

/** The A2A structure whose metadata each location is. */
const CARRIERS: Readonly<Partial<Record<DataLocation, string>>> = {
  'task.metadata': 'Task',
  'status-update.metadata': 'TaskStatusUpdateEvent',
  'artifact-update.metadata': 'TaskArtifactUpdateEvent',
  'message.metadata': 'Message',
  'part.metadata': 'Part',
  'artifact.metadata': 'Artifact',
};

/** A location within a table cell or a sentence. */
export function printPlace(place: DataLocation): string {
  const carrier = CARRIERS[place];
  if (carrier !== undefined) return printCode(`${carrier}.metadata`);
  if (place === 'request.metadata') return `${printCode('metadata')} of the request`;
  return place === 'part' ? 'data part' : `${printCode('params')} on the agent card`;
}

/** The media type of the parts that hold an entry; undefined for data that is no part. */
export function mediaTypeOf({ manifest }: ExtensionModel, entry: DataEntry): string | undefined {
  return entry.in.includes('part') ? (entry.mediaType ?? manifest.mediaType) : undefined;
}

/** Who writes an entry, in words. */
export function printWriter({ by = 'both' }: DataEntry): string {
  return by === 'both' ? 'agent, client' : by;
}

/** A value of an entry as it travels: inside the structure that carries it. */
export function wrapExample(extension: ExtensionModel, entry: DataEntry, value: Json): JsonObject {
  const { manifest } = extension;
  if (entry.in.includes('card.params')) return { uri: manifest.uri, params: value };
  const mediaType = mediaTypeOf(extension, entry);
  if (mediaType !== undefined) return { data: value, mediaType };
  return { metadata: { [entry.key ?? '']: value } };
}

/** The functions of the generated package that read and write an entry. */
export function accessorsOf(entry: DataEntry): readonly string[] {
  const name = toTypeName(entry.name);
  if (entry.in.includes('card.params')) return [`read${name}`];
  if (entry.in.includes('part')) return [`is${name}Part`, `read${name}`, `create${name}Part`];
  return [`read${name}`, `write${name}`];
}
