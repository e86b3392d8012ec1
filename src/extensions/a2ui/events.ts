/** What users do on surfaces, and what clients could not draw (rule E8). */
import type { Message } from '@tiny-harness/contract/a2a';
import type { UiEvent } from '@tiny-harness/contract/a2ui/v0.9.1';
import { isUiEventPart, readUiEvent } from '@tiny-harness/contract/a2ui/v0.9.1';
import { isObject } from '../../core/json.ts';
import type { Surface } from '../../core/surface.ts';
import { findParts } from '../behaviour.ts';
import { readDataModels } from './client.ts';
import { quote } from './faults.ts';

type Action = Extract<UiEvent, { action?: object }>['action'] & object;

/** The most surfaces that a refusal names. */
const SHOWN = 5;

/** A name that is understood without quotes. */
const PLAIN = /^[\p{L}\p{N}_.:@/-]{1,200}$/u;

/** Whether the message says what a user did on a surface, or what could not be drawn. */
export function isUiEvent({ parts }: Message): boolean {
  return parts.some(isUiEventPart);
}

/** Whether a message holds no more than what its client could not draw: nobody has said anything with it. */
export function isUiErrorAlone(message: Message): boolean {
  const events = readEvents(message);
  return message.parts.every(isUiEventPart) && events.every(({ action }) => action === undefined);
}

/**
 * Why the events of a message do not fit to what the task shows: they name a surface, or an action a component, that
 * the agent has not shown or has deleted, or that does not do this. Undefined when they fit, or there are none.
 */
export function findUnknownTarget(
  surfaces: readonly Surface[],
  message: Message,
): string | undefined {
  for (const event of readEvents(message)) {
    const surfaceId = (event.action ?? event.error)?.surfaceId ?? '';
    const surface = surfaces.find((other) => other.surfaceId === surfaceId);
    if (surface === undefined)
      return `this task shows no surface ${quote(surfaceId)}; ${listSurfaces(surfaces)}`;
    const fault = event.action === undefined ? undefined : checkAction(surface, event.action);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function checkAction(
  { surfaceId, components }: Surface,
  { sourceComponentId: id, name: called }: Action,
): string | undefined {
  const component = components.find((each) => each.id === id);
  const where = `surface ${quote(surfaceId)}`;
  if (component === undefined) return `${where} has no component ${quote(id)}`;
  const { action } = component;
  const event = isObject(action) ? action.event : undefined;
  if (isObject(event) && event.name === called) return undefined;
  return `component ${quote(id)} of ${where} has no action ${quote(called)}`;
}

/**
 * What a message says by way of user interface, in words for the agent, a line each: events, and what is filled in
 * where that was asked for. Whatever the client wrote is quoted unless it is a plain name, so that no line can be made
 * to look like another.
 */
export function describeUi(message: Message, surfaces: readonly Surface[]): readonly string[] {
  return [
    ...readEvents(message).map(describeEvent),
    ...readDataModels(message, surfaces).map(
      ({ surfaceId, data }) =>
        `[A2UI data model of surface ${name(surfaceId)}] ${JSON.stringify(data)}`,
    ),
  ];
}

function describeEvent({ action, error }: UiEvent): string {
  if (action !== undefined) {
    const { name: called, surfaceId, sourceComponentId, context } = action;
    const where = `surface ${name(surfaceId)} from ${name(sourceComponentId)}`;
    return `[A2UI action] ${name(called)} on ${where}: ${JSON.stringify(context)}`;
  }
  const { code, surfaceId, message } = error ?? {};
  const where = error !== undefined && 'path' in error ? ` at ${name(error.path)}` : '';
  const what = JSON.stringify(message);
  return `[A2UI error] ${name(code)} on surface ${name(surfaceId)}${where}: ${what}`;
}

function name(value: unknown): string {
  return typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value);
}

function readEvents(message: Message): UiEvent[] {
  return findParts(message, readUiEvent).flatMap(({ result }) => (result.ok ? [result.value] : []));
}

function listSurfaces(surfaces: readonly Surface[]): string {
  if (surfaces.length === 0) return 'it shows none';
  const ids = surfaces.slice(0, SHOWN).map(({ surfaceId }) => quote(surfaceId));
  return `it shows ${ids.join(', ')}${surfaces.length > SHOWN ? ' and others' : ''}`;
}
