/** The protocol's own schemas: what requests may hold, what is said of the others, and the proto's names. */
import { readFileSync } from 'node:fs';
import * as sdk from '@a2a-js/sdk';
import type { Result } from '@tiny-harness/contract';
import * as a2a from '@tiny-harness/contract/a2a';
import { describe, expect, it, test } from 'vitest';

type Parse = (value: unknown) => Result<unknown>;

const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Hello' }] };
const send = (changes: object): unknown => ({ message: { ...message, ...changes } });
const part = (value: unknown): unknown => send({ parts: [value] });
const configured = (configuration: object): unknown => ({ message, configuration });

/** What a parser says of a value: one message for each error, none when it is valid. */
function says(parse: Parse, value: unknown): readonly string[] {
  const result = parse(value);
  return result.ok ? [] : result.errors.map((error) => error.message);
}

const TEXT = 'message/parts/0: text, raw, url or data is missing';
const STATES = a2a.TASK_STATE_VALUES.join(', ');

describe('SendMessageRequest', () => {
  it.each<readonly [name: string, value: unknown]>([
    ['the least', { message }],
    [
      'what nobody knows (5.7)',
      { zz: 1, message: { ...message, yy: {} }, configuration: { x: 1 } },
    ],
    ['ids that are empty, which means unset', send({ contextId: '', taskId: '' })],
    ['a text without a character', part({ text: '' })],
    ...[null, 0, false, '', 'a', [1, null], { a: { b: null } }].map(
      (data) => [`data ${JSON.stringify(data)}`, part({ data })] as const,
    ),
    ...['', '+/8=', '-_8=', '-_8', 'AAAA', 'QQ=='].map(
      (raw) => [`raw ${raw}`, part({ raw })] as const,
    ),
    ['a raw part of ten megabytes', part({ raw: 'A'.repeat(1e7) })],
    ['metadata of any depth', send({ metadata: { a: { b: [1, null, { c: null }] }, n: null } })],
    ['no history', configured({ historyLength: 0 })],
    [
      'a webhook without a task',
      configured({ taskPushNotificationConfig: { url: 'https://a.example' } }),
    ],
  ])('takes %s', (_, value) => {
    expect(says(a2a.parseSendMessageRequest, value)).toEqual([]);
    expect(a2a.isSendMessageRequest(value)).toBe(true);
  });

  it.each<readonly [value: unknown, ...errors: string[]]>([
    ['x', 'the value must be an object; got "x"'],
    [{}, 'message is missing (an object)'],
    [{ message: 'hello' }, 'message must be an object; got "hello"'],
    [
      { message: {} },
      'message/role is missing ("ROLE_USER")',
      'message/messageId is missing (a string)',
      'message/parts is missing (an array)',
    ],
    [send({ role: 'user' }), 'message/role must be "ROLE_USER"; got "user"'],
    [send({ role: 'ROLE_AGENT' }), 'message/role must be "ROLE_USER"; got "ROLE_AGENT"'],
    [
      send({ role: 'ROLE_UNSPECIFIED' }),
      'message/role must be "ROLE_USER"; got "ROLE_UNSPECIFIED"',
    ],
    [send({ messageId: '' }), 'message/messageId must not be blank; got ""'],
    [send({ messageId: ' \t' }), 'message/messageId must not be blank; got " \\t"'],
    [send({ contextId: ' ' }), 'message/contextId must not be only white space; got " "'],
    [send({ taskId: 7 }), 'message/taskId must be a string; got 7'],
    [send({ parts: [] }), 'message/parts must not be empty'],
    [send({ parts: { text: 'x' } }), 'message/parts must be an array; got an object'],
    [part('x'), 'message/parts/0 must be an object; got "x"'],
    [part({}), TEXT],
    [part({ mediaType: 'text/plain' }), TEXT],
    [part({ text: 5 }), 'message/parts/0/text must be a string; got 5'],
    [
      part({ text: 'a', data: null }),
      'message/parts/0 must have only one of text, raw, url, data; got text, data',
    ],
    [part({ raw: '***' }), 'message/parts/0/raw must be base64; got "***"'],
    [part({ raw: 'A=A' }), 'message/parts/0/raw must be base64; got "A=A"'],
    [part({ url: '' }), 'message/parts/0/url must not be blank; got ""'],
    [send({ metadata: [] }), 'message/metadata must be an object; got an array'],
    [send({ extensions: [''] }), 'message/extensions/0 must not be blank; got ""'],
    [configured({ historyLength: -1 }), 'configuration/historyLength must be at least 0; got -1'],
    [configured({ historyLength: 1.5 }), 'configuration/historyLength must be an integer; got 1.5'],
    [
      configured({ historyLength: 2 ** 31 }),
      'configuration/historyLength must be at most 2147483647; got 2147483648',
    ],
    [
      configured({ returnImmediately: 'false' }),
      'configuration/returnImmediately must be a boolean; got "false"',
    ],
    [
      configured({ taskPushNotificationConfig: {} }),
      'configuration/taskPushNotificationConfig/url is missing (a string)',
    ],
  ])('refuses %j', (value, ...errors) => {
    expect(says(a2a.parseSendMessageRequest, value)).toEqual(errors);
    expect(a2a.isSendMessageRequest(value)).toBe(false);
  });

  it('bounds what a store has to keep', () => {
    const [error] = says(a2a.parseSendMessageRequest, send({ messageId: 'x'.repeat(257) }));
    expect(error).toMatch(/^message\/messageId must have at most 256 characters; got 257: /);
    // Characters, not units of UTF-16.
    expect(says(a2a.parseSendMessageRequest, send({ messageId: '😀'.repeat(256) }))).toEqual([]);
  });
});

const DATE =
  'statusTimestampAfter must be of the format date-time, such as "2025-10-28T10:30:00.000Z"';

describe('the other requests', () => {
  it.each<readonly [name: string, parse: Parse, value: unknown, errors: readonly string[]]>([
    ['a task', a2a.parseGetTaskRequest, { id: 't', historyLength: 0, tenant: '' }, []],
    ['no task', a2a.parseGetTaskRequest, {}, ['id is missing (a string)']],
    ['a blank task', a2a.parseCancelTaskRequest, { id: ' ' }, ['id must not be blank; got " "']],
    ['all tasks', a2a.parseListTasksRequest, {}, []],
    [
      'tasks in any state',
      a2a.parseListTasksRequest,
      { status: 'TASK_STATE_UNSPECIFIED', pageToken: '' },
      [],
    ],
    [
      'tasks in no state',
      a2a.parseListTasksRequest,
      { status: 'TASK_STATE_RUNNING' },
      [`status must be one of ${STATES}; got "TASK_STATE_RUNNING"`],
    ],
    ['no page', a2a.parseListTasksRequest, { pageSize: 0 }, ['pageSize must be at least 1; got 0']],
    [
      'a large page',
      a2a.parseListTasksRequest,
      { pageSize: 101 },
      ['pageSize must be at most 100; got 101'],
    ],
    ...['2025-10-28T10:30:00Z', '2025-10-28T10:30:00.123456789Z', '2025-10-28T10:30:00+02:00'].map(
      (statusTimestampAfter) =>
        [statusTimestampAfter, a2a.parseListTasksRequest, { statusTimestampAfter }, []] as const,
    ),
    ...[
      'yesterday',
      '2025-10-28',
      '2025-13-28T10:30:00Z',
      '2025-10-28T24:00:00Z',
      '2025-10-28T10:30:00',
    ].map(
      (time) =>
        [
          time,
          a2a.parseListTasksRequest,
          { statusTimestampAfter: time },
          [`${DATE}; got ${JSON.stringify(time)}`],
        ] as const,
    ),
    [
      'a webhook of nothing',
      a2a.parseCreateTaskPushNotificationConfigRequest,
      {},
      ['taskId is missing (a string)', 'url is missing (a string)'],
    ],
    [
      'configurations, as many as the server likes',
      a2a.parseListTaskPushNotificationConfigsRequest,
      { taskId: 't', pageSize: 0 },
      [],
    ],
    [
      'no configuration',
      a2a.parseDeleteTaskPushNotificationConfigRequest,
      { taskId: 't' },
      ['id is missing (a string)'],
    ],
    ['the extended card', a2a.parseGetExtendedAgentCardRequest, {}, []],
  ])('%s', (_, parse, value, errors) => {
    expect(says(parse, value)).toEqual(errors);
  });
});

describe('answers', () => {
  it('hold exactly one payload', () => {
    const words = 'task, message, statusUpdate, artifactUpdate';
    expect(says(a2a.parseStreamResponse, {})).toEqual([
      'task, message, statusUpdate or artifactUpdate is missing',
    ]);
    const task = { id: 't', status: { state: 'TASK_STATE_WORKING' } };
    expect(says(a2a.parseStreamResponse, { task, message })).toEqual([
      `the value must have only one of ${words}; got task, message`,
    ]);
  });

  it('name times in UTC (5.6.1)', () => {
    const status = { state: 'TASK_STATE_WORKING', timestamp: '2025-10-28T10:30:00.000Z' };
    expect(says(a2a.parseTask, { id: 't', status })).toEqual([]);
    const [error] = says(a2a.parseTask, {
      id: 't',
      status: { ...status, timestamp: '2025-10-28T10:30:00+01:00' },
    });
    expect(error).toMatch(/^status\/timestamp must be of the format date-time/);
  });
});

/** The members of each structure, as the SDK has them from the proto; a `oneof` has a name there. */
const CLASSES: Readonly<Record<string, { fromJSON(value: unknown): object }>> = sdk as never;
const ONEOFS: Readonly<Record<string, readonly string[]>> = {
  content: ['text', 'raw', 'url', 'data'],
  payload: ['task', 'message', 'statusUpdate', 'artifactUpdate'],
};

interface Schema {
  readonly title?: string;
  readonly $ref?: string;
  readonly properties?: object;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** The structures of the schema files that are messages of the proto: each type's own schema. */
function structures(): ReadonlyMap<string, Schema> {
  const contract = JSON.parse(readFileSync('schemas/contract.json', 'utf8')) as {
    modules: readonly { name: string; schemas: readonly string[] }[];
  };
  const paths = contract.modules.find(({ name }) => name === 'a2a')?.schemas ?? [];
  const found = paths.flatMap((path) => {
    const root = JSON.parse(readFileSync(`schemas/${path}`, 'utf8')) as Schema;
    return [[root.title ?? '', root] as const, ...Object.entries(root.$defs ?? {})];
  });
  return new Map(found);
}

const all = structures();
const inProto = [...all].filter(([name]) => 'fromJSON' in (CLASSES[name] ?? {}));

test.each(inProto)('%s has the members of the proto', (name, schema) => {
  const base = name === 'Message' ? all.get('MessageFields')?.properties : {};
  const members = Object.keys(CLASSES[name]?.fromJSON({}) ?? {}).flatMap((member) =>
    name === 'SendMessageResponse' ? ['task', 'message'] : (ONEOFS[member] ?? [member]),
  );
  expect(Object.keys({ ...base, ...schema.properties }).sort()).toEqual(members.sort());
});

test('every other type is one of ours, and the enums are the proto’s', () => {
  const known = new Set(inProto.map(([name]) => name));
  expect([...all.keys()].filter((name) => !known.has(name)).sort()).toEqual([
    'CreateTaskPushNotificationConfigRequest',
    'MessageFields',
    'Role',
    'TaskState',
    'UserMessage',
  ]);
  const names = (values: object): string[] =>
    Object.keys(values).filter((key) => /^(ROLE|TASK_STATE)_/.test(key));
  expect(a2a.ROLE_VALUES).toEqual(names(sdk.Role));
  expect(a2a.TASK_STATE_VALUES).toEqual(names(sdk.TaskState));
});

test('what the SDK’s client sends is valid', () => {
  const request = {
    message: { ...message, parts: [{ text: 'a' }, { raw: '-_8' }, { data: { a: null } }] },
    configuration: { acceptedOutputModes: ['text/plain'], historyLength: 0 },
  };
  const sent = sdk.SendMessageRequest.toJSON(sdk.SendMessageRequest.fromJSON(request));
  expect(says(a2a.parseSendMessageRequest, sent)).toEqual([]);
  const list = sdk.ListTasksRequest.fromJSON({ statusTimestampAfter: '2025-10-28T10:30:00Z' });
  expect(says(a2a.parseListTasksRequest, sdk.ListTasksRequest.toJSON(list))).toEqual([]);
});

test('the package’s index does not load the protocol', async () => {
  expect(Object.keys(await import('@tiny-harness/contract'))).not.toContain('parsePart');
  expect(readFileSync('generated/index.js', 'utf8')).not.toContain('a2a/');
});
