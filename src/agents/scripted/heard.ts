/** What the scripted agent makes of a message, and of texts that speak of it. */
import type { Message } from '@tiny-harness/contract/a2a';
import { ANONYMOUS } from '../../core/participants.ts';

/** A message as scenarios see it. */
export interface Heard {
  /** The texts of its text parts, one a line; empty when it has none. */
  readonly text: string;
  /** Who sent it. */
  readonly participant: string;
  /** Whether it starts a task. */
  readonly first: boolean;
}

/** Reads a message; parts other than text are passed over. */
export function hearMessage(message: Message, participant: string, first: boolean): Heard {
  const texts = message.parts.flatMap(({ text }) => text ?? []);
  return { text: texts.join('\n'), participant, first };
}

/** The answer to a message that nothing else is to be done for. A sender who gave a name is called by it. */
export function echo({ text, participant }: Heard): string {
  return `You said: ${participant === ANONYMOUS ? '' : `[${participant}] `}${text}`;
}

const PLACEHOLDER = /\$\$|\$\{([^}]*)\}/g;
const NAMES = ['text', 'participant', 'result'] as const;

/** What placeholders stand for; without a result the tools have said nothing. */
export interface Filling extends Pick<Heard, 'text' | 'participant'> {
  readonly result?: string;
}

/** A text with the placeholders and `$$` replaced; nothing else is, and what is put in stays as it is. */
export function fillText(template: string, filling: Filling): string {
  return template.replace(PLACEHOLDER, (whole, name?: string) => {
    if (name === undefined) return '$';
    const known = NAMES.find((each) => each === name);
    return known === undefined ? whole : (filling[known] ?? '');
  });
}

/** JSON with every text in it filled; names of members stay as they are. */
export function fillValue(template: unknown, filling: Filling): unknown {
  if (typeof template === 'string') return fillText(template, filling);
  if (Array.isArray(template)) return template.map((item) => fillValue(item, filling));
  if (typeof template !== 'object' || template === null) return template;
  const members = Object.entries(template).map(([name, value]) => [
    name,
    fillValue(value, filling),
  ]);
  return Object.fromEntries(members);
}

/** Whether something is put into the text, so that nobody knows it before it is filled. */
export function hasPlaceholder(template: string): boolean {
  return [...template.matchAll(PLACEHOLDER)].some(([, name]) => name !== undefined);
}

/** Names that stand in `${…}` and mean nothing. */
export function findUnknownNames(template: string): readonly string[] {
  const known: readonly string[] = NAMES;
  return [...template.matchAll(PLACEHOLDER)].flatMap(([, name]) =>
    name === undefined || known.includes(name) ? [] : name,
  );
}
