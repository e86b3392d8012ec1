/** What the server does for an extension besides putting it on the card. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { Result } from '@tiny-harness/contract/runtime/result';
import type { FieldViolation } from '../core/errors.ts';
import { toFieldPath } from '../core/errors.ts';

/** An extension as incoming messages meet it. */
export interface ExtensionBehaviour {
  /** What is wrong with the extension's data in a message. */
  readonly check: (message: Message) => readonly FieldViolation[];
}

/** A piece of data in a part of a message, checked, and where the part stands. */
export interface Found<T> {
  readonly at: number;
  readonly result: Result<T>;
}

/** All parts of a message that a generated reader recognises. */
export function findParts<T>(
  message: Message,
  read: (part: Message['parts'][number]) => Result<T> | undefined,
): Found<T>[] {
  return message.parts.flatMap((part, at) => {
    const result = read(part);
    return result === undefined ? [] : [{ at, result }];
  });
}

/** The errors of data that was found, as fields of the request. */
export function violationsOf(found: readonly Found<unknown>[]): FieldViolation[] {
  return found.flatMap(({ at, result }) =>
    result.ok
      ? []
      : result.errors.map(({ path, message }) => ({
          field: toFieldPath(path, `message.parts[${at}].data`),
          description: message,
        })),
  );
}

/** The first piece that is valid. */
export function firstValid<T>(found: readonly Found<T>[]): { at: number; value: T } | undefined {
  for (const { at, result } of found) if (result.ok) return { at, value: result.value };
  return undefined;
}
