/** The facts at the head of an extension's page. */
import { posix } from 'node:path';
import type { JsonObject } from '../../json.ts';
import { getOwn, isArray } from '../../json.ts';
import type { ContractModel } from '../../model/contract.ts';
import { importPath } from './data-section.ts';
import { printCode, printLink } from './escape.ts';
import { mediaTypeOf } from './places.ts';
import { printProse } from './prose.ts';
import type { ExtensionPage } from './site.ts';
import { printTable } from './table.ts';

/** The table of an extension's facts: how it is named, and what it asks of a client. */
export function printFacts(model: ContractModel, page: ExtensionPage): string {
  const { manifest } = page.extension;
  const mediaTypes = listMediaTypes(page, model.card);
  return printTable(
    ['', ''],
    [
      ['**Adds**', printProse(manifest.description)],
      ['**URI**', printCode(manifest.uri)],
      ...(mediaTypes.length === 0 ? [] : [['**Media type**', mediaTypes.join('<br>')]]),
      ['**Activation**', ACTIVATION[manifest.activation]],
      ['**Required**', manifest.required === true ? REQUIRED : OPTIONAL],
      ['**In code**', printCode(importPath(model, page.extension))],
      ['**Files**', listFiles(page).join(', ')],
    ],
  );
}

const ACTIVATION = {
  always:
    'Always on. Its data is read and written on every request, whether or not the client names the URI in `A2A-Extensions`.',
  negotiated:
    'By the client, which names the URI in `A2A-Extensions`. Requests that do not are answered as if the extension did not exist.',
} as const;

const REQUIRED = 'Yes. The agent refuses clients that do not follow it.';
const OPTIONAL = 'No. Clients that do not know it are served all the same.';

/** Each media type with what has it: pieces of data that are parts, or only the extension itself. */
function listMediaTypes(
  { extension }: ExtensionPage,
  card: JsonObject | undefined,
): readonly string[] {
  const { mediaType: own } = extension.manifest;
  const names = new Map<string, string[]>(own === undefined ? [] : [[own, []]]);
  for (const { entry } of extension.entries) {
    const type = mediaTypeOf(extension, entry);
    if (type !== undefined) names.set(type, [...(names.get(type) ?? []), printCode(entry.name)]);
  }
  return [...names].map(([type, data]) => {
    if (data.length > 0) return `${printCode(type)}: parts that hold ${data.join(' or ')}`;
    const where = isMode(card, type) ? ', among the modes of the agent card' : '';
    return `${printCode(type)}: the extension as a whole${where}; no part holds its data`;
  });
}

function isMode(card: JsonObject | undefined, type: string): boolean {
  return ['defaultInputModes', 'defaultOutputModes'].some((name) => {
    const modes = card && getOwn(card, name);
    return isArray(modes) && modes.includes(type);
  });
}

function listFiles({ extension }: ExtensionPage): readonly string[] {
  const folder = posix.dirname(extension.source.file.path);
  const files = [...extension.source.files, extension.source.file];
  return files.map((file) => {
    const name = posix.relative(folder, file.path);
    return printLink(printCode(name), name);
  });
}
