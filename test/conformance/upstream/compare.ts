/** Two answers, field by field. */
import type { Answer, Json } from './recordings.ts';

/** A field in which two answers differ; its values as text, `–` where there is none. */
export interface Difference {
  /** `status.message.parts[0].text`; messages of a history go by their ids, events by their kind. */
  readonly field: string;
  readonly reference: string;
  readonly ours: string;
}

const NAMESPACE = 'io.github.madarauchiha-314.tiny-harness/';

/** All differences between two answers. */
export function compareAnswers(reference: Answer, ours: Answer): Difference[] {
  if (reference === undefined && ours === undefined) return [];
  const status = compareValues(reference?.status, ours?.status, 'http');
  if (reference?.events !== undefined && ours?.events !== undefined) {
    return [...status, ...compareStreams(reference.events, ours.events)];
  }
  if (reference?.body !== undefined && ours?.body !== undefined) {
    return [...status, ...compareValues(reference.body, ours.body, '')];
  }
  return [{ field: 'answer', reference: outline(reference), ours: outline(ours) }];
}

/** What kind of answer it is: its events, its error, or that it is one value. */
function outline(answer: Answer): string {
  if (answer === undefined) return '–';
  if (answer.events !== undefined) return answer.events.map(nameEvent).join(', ');
  const { error } = answer.body as { error?: { message: string } };
  return error?.message ?? 'a value';
}

type WireEvent = Readonly<Record<string, { readonly status?: { readonly state: string } }>>;

/** `statusUpdate WORKING`: what an event is, whatever it says. */
function nameEvent(event: Json): string {
  const [kind = '', body] = Object.entries(event as unknown as WireEvent)[0] ?? [];
  return `${kind} ${body?.status?.state.replace('TASK_STATE_', '') ?? ''}`.trim();
}

/** Events that are in both streams are compared, in their order; each other one is a difference of its own. */
function compareStreams(reference: readonly Json[], ours: readonly Json[]): Difference[] {
  const [first, ...restOfReference] = reference;
  const [own, ...restOfOurs] = ours;
  if (first === undefined) return ours.map(onlyOurs);
  if (own === undefined) return reference.map(onlyTheirs);
  if (nameEvent(first) === nameEvent(own)) {
    return [...compareValues(first, own, ''), ...compareStreams(restOfReference, restOfOurs)];
  }
  const isTask = nameEvent(own).startsWith('task ');
  const comesLater = reference.some((event) => nameEvent(event) === nameEvent(own));
  // A Task is often followed by an update with the same news: the update is the one to compare.
  return comesLater && !isTask
    ? [onlyTheirs(first), ...compareStreams(restOfReference, ours)]
    : [onlyOurs(own), ...compareStreams(reference, restOfOurs)];
}

function onlyOurs(event: Json): Difference {
  return { field: 'stream', reference: '–', ours: nameEvent(event) };
}

function onlyTheirs(event: Json): Difference {
  return { field: 'stream', reference: nameEvent(event), ours: '–' };
}

/** Differences of two values; `field` is where they stand. */
export function compareValues(
  reference: Json | undefined,
  ours: Json | undefined,
  field: string,
): Difference[] {
  const ownMembers = membersOf(ours);
  const members = membersOf(reference);
  if (members === undefined || ownMembers === undefined) {
    if (JSON.stringify(reference) === JSON.stringify(ours)) return [];
    return [{ field, reference: print(reference), ours: print(ours) }];
  }
  const names = [...new Set([...members.keys(), ...ownMembers.keys()])];
  return names.flatMap((name) =>
    compareValues(members.get(name), ownMembers.get(name), join(field, name)),
  );
}

function join(field: string, name: string): string {
  const short = name.replace(NAMESPACE, 'N/');
  return field === '' || name.startsWith('[') ? `${field}${short}` : `${field}.${short}`;
}

/** What an object or array holds; messages by their ids, since one that is missing does not change the others. */
function membersOf(value: Json | undefined): Map<string, Json> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value as Record<string, Json>));
  const items = value as readonly Json[];
  return new Map(items.map((item, at) => [`[${idOf(item) ?? at}]`, item]));
}

function idOf(item: Json): string | undefined {
  return (item as { messageId?: string } | null)?.messageId;
}

function print(value: Json | undefined): string {
  if (value === undefined) return '–';
  if (value === '') return '""';
  const text = typeof value === 'string' ? value.replaceAll('\n', '\\n') : JSON.stringify(value);
  return text.replaceAll(NAMESPACE, 'N/');
}
