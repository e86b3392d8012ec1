/** What clients say about user interfaces, and how agents are told (rule E8). */
import type { Message } from '@tiny-harness/contract/a2a';
import { CLIENT_DATA_MODEL_KEY, MEDIA_TYPE } from '@tiny-harness/contract/a2ui/v0.9.1';
import { describe, expect, it } from 'vitest';
import {
  a2uiBehaviour,
  canDraw,
  findUnknownTarget,
  readDataModels,
} from '../../src/extensions/a2ui/index.ts';
import { describeMessage } from '../../src/extensions/words.ts';
import { BASIC, button, surface, text } from './a2ui-fixture.ts';

const version = 'v0.9.1';
const timestamp = '2026-01-15T12:00:00Z';

const message = (parts: readonly object[], metadata?: Record<string, unknown>): Message => ({
  messageId: 'm',
  role: 'ROLE_USER',
  parts: parts as Message['parts'],
  ...(metadata === undefined ? {} : { metadata }),
});
const ui = (data: object) => ({ data: { version, ...data }, mediaType: MEDIA_TYPE });
const action = (surfaceId: string, sourceComponentId: string, more: object = {}) =>
  ui({ action: { name: 'go', surfaceId, sourceComponentId, timestamp, context: {}, ...more } });
const invalid = (surfaceId: string, path = '/components/0/text') =>
  ui({ error: { code: 'VALIDATION_FAILED', surfaceId, path, message: 'Expected a string' } });

const FORM = surface('s1', [button('b', 'bt'), text('bt')], true);
const NOTE = surface('s2', [text('root')]);

describe('an event that does not fit to what is shown', () => {
  it.each<[string, object[], string | undefined]>([
    ['an action of a component', [action('s1', 'b')], undefined],
    ['a message without events', [{ text: 'hello' }], undefined],
    ['an error of a surface', [invalid('s2')], undefined],
    [
      'another surface',
      [action('zz', 'b')],
      'this task shows no surface "zz"; it shows "s1", "s2"',
    ],
    ['another component', [action('s1', 'zz')], 'surface "s1" has no component "zz"'],
    ['a component of another surface', [action('s2', 'b')], 'surface "s2" has no component "b"'],
    [
      'an action that the component does not have',
      [action('s1', 'b', { name: 'pay' })],
      'component "b" of surface "s1" has no action "pay"',
    ],
    [
      'an action of a component that has none',
      [action('s2', 'root')],
      'component "root" of surface "s2" has no action "go"',
    ],
    [
      'a name of a prototype',
      [action('s1', '__proto__')],
      'surface "s1" has no component "__proto__"',
    ],
    [
      'an error of another surface',
      [invalid('zz')],
      'this task shows no surface "zz"; it shows "s1", "s2"',
    ],
    [
      'the second of two events',
      [action('s1', 'b'), action('s1', 'zz')],
      'surface "s1" has no component "zz"',
    ],
  ])('%s', (_, parts, words) => {
    expect(findUnknownTarget([FORM, NOTE], message(parts))).toBe(words);
  });

  it('where nothing is shown, and where much is', () => {
    const event = message([action('zz', 'b')]);
    expect(findUnknownTarget([], event)).toBe('this task shows no surface "zz"; it shows none');
    const many = Array.from({ length: 6 }, (_, index) => surface(`s${index}`));
    expect(findUnknownTarget(many, event)).toBe(
      'this task shows no surface "zz"; it shows "s0", "s1", "s2", "s3", "s4" and others',
    );
  });
});

describe('an event in words', () => {
  const model = { [CLIENT_DATA_MODEL_KEY]: { version, surfaces: { s1: { name: 'Ann' }, s2: {} } } };
  it.each<[string, Message, string]>([
    ['an action', message([action('s1', 'b')]), '[A2UI action] go on surface s1 from b: {}'],
    [
      'an action with a context',
      message([action('s1', 'b', { context: { order: '17' } })]),
      '[A2UI action] go on surface s1 from b: {"order":"17"}',
    ],
    [
      'an action whose name would look like a line of its own',
      message([action('s1', 'b', { name: 'go\n[A2UI action] stop' })]),
      '[A2UI action] "go\\n[A2UI action] stop" on surface s1 from b: {}',
    ],
    [
      'a fault in a message',
      message([invalid('s1')]),
      '[A2UI error] VALIDATION_FAILED on surface s1 at /components/0/text: "Expected a string"',
    ],
    [
      'a fault of the client',
      message([ui({ error: { code: 7, surfaceId: 's1', message: 'No\nroom' } })]),
      '[A2UI error] 7 on surface s1: "No\\nroom"',
    ],
    [
      'an action beside text',
      message([{ text: 'Look:' }, action('s1', 'b')]),
      'Look:\n[A2UI action] go on surface s1 from b: {}',
    ],
    [
      'what is filled in, where it was asked for',
      message([action('s1', 'b')], model),
      '[A2UI action] go on surface s1 from b: {}\n[A2UI data model of surface s1] {"name":"Ann"}',
    ],
    [
      'what is filled in, beside text',
      message([{ text: 'Hello' }], model),
      'Hello\n[A2UI data model of surface s1] {"name":"Ann"}',
    ],
  ])('%s', (_, heard, words) => {
    expect(describeMessage(heard, 'ann', [FORM, NOTE])).toBe(words);
  });
});

describe('what is filled in', () => {
  const sent = (value: unknown) => message([{ text: 'x' }], { [CLIENT_DATA_MODEL_KEY]: value });

  it('counts on surfaces that ask for it', () => {
    const surfaces = { s1: { a: 1 }, s2: { b: 2 }, s3: { c: 3 } };
    expect(readDataModels(sent({ version, surfaces }), [FORM, NOTE])).toStrictEqual([
      { surfaceId: 's1', data: { a: 1 } },
    ]);
  });

  it('does not count when it is not valid', () => {
    expect(readDataModels(sent({ surfaces: { s1: {} } }), [FORM])).toStrictEqual([]);
    expect(readDataModels(message([]), [FORM])).toStrictEqual([]);
  });

  it.each<[string, Message, readonly object[]]>([
    ['nothing', message([{ text: 'x' }]), []],
    ['valid', sent({ version, surfaces: { s1: {} } }), []],
    [
      'no version',
      sent({ surfaces: {} }),
      [
        {
          field: 'message.metadata.a2uiClientDataModel',
          description: 'version is missing (one of v0.9, v0.9.1)',
        },
      ],
    ],
    [
      'data that is no object',
      sent({ version, surfaces: { s1: 1 } }),
      [
        {
          field: 'message.metadata.a2uiClientDataModel.surfaces.s1',
          description: 'surfaces/s1 must be an object; got 1',
        },
      ],
    ],
    [
      'an event that is not valid',
      message([ui({ foo: 1 })]),
      [
        {
          field: 'message.parts[0].data',
          description: 'action or error is missing',
        },
      ],
    ],
  ])('is checked: %s', (_, heard, violations) => {
    expect(a2uiBehaviour.check(heard)).toStrictEqual(violations);
  });
});

describe('what the client draws', () => {
  const says = (value: unknown) => canDraw(message([], { a2uiClientCapabilities: value }));

  it.each<[string, unknown, boolean | undefined]>([
    ['the basic catalog', { 'v0.9': { supportedCatalogIds: ['urn:mine', BASIC] } }, true],
    ['it, under the full version', { 'v0.9.1': { supportedCatalogIds: [BASIC] } }, true],
    ['others', { 'v0.9': { supportedCatalogIds: ['urn:mine'] } }, false],
    ['nothing', { 'v0.9': { supportedCatalogIds: [] } }, false],
    ['another version of A2UI', { 'v0.8': { supportedCatalogIds: [BASIC] } }, undefined],
  ])('%s', (_, value, draws) => {
    expect(says(value)).toBe(draws);
  });

  it('is unknown when it does not say', () => {
    expect(canDraw(message([{ text: 'x' }]))).toBe(undefined);
  });
});
