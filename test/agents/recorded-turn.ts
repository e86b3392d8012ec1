/** Turns for tests of agents: what an agent does is written down instead of stored. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { ArtifactChunk, Opening, Turn, TurnOutcome } from '../../src/agents/port.ts';
import type { Json } from '../../src/core/task.ts';
import { describeMessage } from '../../src/extensions/words.ts';

/** Something that an agent did in a turn. */
export type Act =
  | { readonly say: string }
  | { readonly requireAuth: string }
  | { readonly resume: true }
  | { readonly artifact: ArtifactChunk };

/** A turn, what was done in it, and how it is cut off. */
export interface RecordedTurn {
  readonly turn: Turn;
  /** In order; those that came after the turn was cut off as well. */
  readonly acts: readonly Act[];
  readonly cut: () => void;
}

/** A message of a user. */
export function createMessage(parts: Message['parts'] | string): Message {
  return {
    messageId: 'message-1',
    role: 'ROLE_USER',
    parts: typeof parts === 'string' ? [{ text: parts }] : parts,
  };
}

/** What a test may want to be otherwise. */
export interface TurnSettings {
  readonly number?: number;
  readonly sender?: string;
  readonly memory?: Json | undefined;
}

/** A turn that records. */
export function createTurn(
  parts: Message['parts'] | string,
  { number = 1, sender = 'anonymous', memory }: TurnSettings = {},
): RecordedTurn {
  const controller = new AbortController();
  const acts: Act[] = [];
  const record = (act: Act): Promise<void> => {
    acts.push(act);
    return Promise.resolve();
  };
  const message = createMessage(parts);
  const turn: Turn = {
    activated: [],
    taskId: 'task-1',
    contextId: 'context-1',
    number,
    attempt: 1,
    message,
    text: describeMessage(message, sender),
    sender,
    memory,
    signal: controller.signal,
    history: () => Promise.resolve([message]),
    say: (said) => record({ say: textOf(said) }),
    requireAuth: (said) => record({ requireAuth: textOf(said) }),
    resume: () => record({ resume: true }),
    writeArtifact: (artifact) => record({ artifact }),
  };
  return {
    turn,
    acts,
    cut: () => {
      controller.abort();
    },
  };
}

/** A message that would start a task. */
export function createOpening(text: string, sender = 'anonymous'): Opening {
  const { signal } = new AbortController();
  return { contextId: 'context-1', message: createMessage(text), sender, signal };
}

/** How the turn ended, and the text of the outcome: of a question, its options with it, a line each. */
export function summarise({
  end,
  parts,
  question,
}: TurnOutcome): readonly [TurnOutcome['end'], string] {
  if (question === undefined) return [end, parts === undefined ? '' : textOf(parts)];
  return [end, [question.text, ...(question.options ?? []).map((each) => `- ${each}`)].join('\n')];
}

function textOf(parts: Message['parts']): string {
  return parts.map(({ text }) => text ?? '').join('|');
}
