/**
 * Checks A2UI messages against their schemas, each component by itself: an error then names the component and the
 * property, and a thousand components take a thousand times as long as one.
 */
import type { UiMessage } from '@tiny-harness/contract/a2ui/v0.9.1';
import { parseUiMessage } from '@tiny-harness/contract/a2ui/v0.9.1';
import type { Faults } from './faults.ts';
import { nameComponent, quote } from './faults.ts';
import { isObject } from './json.ts';

/** Where the only component of a message stands, in the words of the validator and as a pointer. */
const ONLY = 'updateComponents/components/0';

/** The messages that are valid; the faults of the others are added. */
export function validateMessages(messages: readonly unknown[], faults: Faults): UiMessage[] {
  return messages.flatMap((message, index) => {
    if (faults.isFull) return [];
    const result = parseUiMessage(message);
    if (result.ok) return [result.value];
    const place = placeOfMessage(message, index);
    if (!explainComponents(message, index, faults))
      for (const error of result.errors) faults.add(place, error.message);
    return [];
  });
}

/** A message as faults call it: `messages[1] (surface "order")`. */
export function placeOfMessage(message: unknown, index: number): string {
  const id = surfaceOf(message);
  return typeof id === 'string'
    ? `messages[${index}] (surface ${quote(id)})`
    : `messages[${index}]`;
}

/** A component of a message: `messages[1].updateComponents.components[3] (Button "send" of surface "order")`. */
export function placeOfComponent(
  component: unknown,
  surfaceId: unknown,
  { message, at }: { message: number; at: number },
): string {
  const name = nameComponent(component, surfaceId);
  return `messages[${message}].updateComponents.components[${at}] (${name})`;
}

/** Says what is wrong with each component, and with the message around them; false when it is nothing of that. */
function explainComponents(message: unknown, index: number, faults: Faults): boolean {
  const surfaceId = surfaceOf(message);
  let found = false;
  for (const [at, component] of listComponents(message).entries()) {
    if (faults.isFull) break;
    const result = parseUiMessage(withOnly(message, component));
    if (result.ok) continue;
    for (const error of result.errors) {
      found = true;
      const isOwn = `${error.path}/`.startsWith(`/${ONLY}/`);
      if (isOwn) {
        const place = placeOfComponent(component, surfaceId, { message: index, at });
        faults.add(place, withoutPrefix(error.message));
      } else if (at === 0) faults.add(placeOfMessage(message, index), error.message);
    }
  }
  return found;
}

/** The validator's words begin with the place in the message, which is said in front of them already. */
function withoutPrefix(words: string): string {
  if (words.startsWith(`${ONLY}/`)) return words.slice(ONLY.length + 1);
  if (words.startsWith(`${ONLY}: `)) return words.slice(ONLY.length + 2);
  return words.startsWith(`${ONLY} `) ? `it${words.slice(ONLY.length)}` : words;
}

function listComponents(message: unknown): readonly unknown[] {
  const update = isObject(message) ? message.updateComponents : undefined;
  const components = isObject(update) ? update.components : undefined;
  return Array.isArray(components) ? components : [];
}

function withOnly(message: unknown, component: unknown): unknown {
  const update = (message as { updateComponents: object }).updateComponents;
  return { ...(message as object), updateComponents: { ...update, components: [component] } };
}

function surfaceOf(message: unknown): unknown {
  if (!isObject(message)) return undefined;
  const content = Object.values(message).find(
    (member) => isObject(member) && typeof member.surfaceId === 'string',
  );
  return isObject(content) ? content.surfaceId : undefined;
}
