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
const NAMES = ['text', 'participant'] as const;

/** A text with `${text}`, `${participant}` and `$$` replaced; nothing else is, and what is put in stays as it is. */
export function fillText(template: string, heard: Heard): string {
  return template.replace(PLACEHOLDER, (whole, name?: string) => {
    if (name === undefined) return '$';
    const known = NAMES.find((each) => each === name);
    return known === undefined ? whole : heard[known];
  });
}

/** Names that stand in `${…}` and mean nothing. */
export function findUnknownNames(template: string): readonly string[] {
  const known: readonly string[] = NAMES;
  return [...template.matchAll(PLACEHOLDER)].flatMap(([, name]) =>
    name === undefined || known.includes(name) ? [] : name,
  );
}
