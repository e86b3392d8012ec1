/**
 * Checks A2UI messages against their schemas, each component by itself: an error then names the component and the
 * property, and a thousand components take a thousand times as long as one.
 */
import type { UiMessage } from '@tiny-harness/contract/a2ui/v0.9.1';
import { isUiMessage, parseUiMessage } from '@tiny-harness/contract/a2ui/v0.9.1';
import type { Faults } from './faults.ts';
import { nameComponent, quote } from './faults.ts';
import { isObject } from '../../core/json.ts';
import type { UiLimits } from './limits.ts';

/** Where the only component of a message stands, in the words of the validator and as a pointer. */
const ONLY = 'updateComponents/components/0';

/** A component without a fault: with it alone, what is wrong with a message is around its components. */
const PLAIN = { id: 'root', component: 'Text', text: '' };

/** The messages that are valid; the faults of the others are added. None has more components than a surface may have. */
export function validateMessages(
  messages: readonly unknown[],
  { components: most }: UiLimits,
  faults: Faults,
): UiMessage[] {
  return messages.flatMap((message, index) => {
    if (faults.isFull) return [];
    const { length } = listComponents(message);
    if (length > most) {
      const what = `it has ${length} components, and a surface may have at most ${most}`;
      faults.add(placeOfMessage(message, index), what);
    } else if (isUiMessage(message)) return [message];
    else explain(message, index, faults);
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

/**
 * Says what is wrong with a message and with each of its components. To explain a fault takes far longer than to see
 * that there is none, so only what has one is explained.
 */
function explain(message: unknown, index: number, faults: Faults): void {
  const components = listComponents(message);
  const place = placeOfMessage(message, index);
  const around = components.length === 0 ? message : withOnly(message, PLAIN);
  for (const error of errorsOf(around)) faults.add(place, error.message);
  const surfaceId = surfaceOf(message);
  for (const [at, component] of components.entries()) {
    if (faults.isFull) return;
    const alone = { version: 'v0.9', updateComponents: { surfaceId: '', components: [component] } };
    for (const error of errorsOf(alone))
      faults.add(
        placeOfComponent(component, surfaceId, { message: index, at }),
        withoutPrefix(error.message),
      );
  }
}

function errorsOf(message: unknown): readonly { readonly message: string }[] {
  const result = parseUiMessage(message);
  return result.ok ? [] : result.errors;
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
