/** What is done to valid requests: to the structure of their JSON, to its bytes, to headers, paths and methods. */
import fc from 'fast-check';
import type { Seed, Value } from './seeds.ts';

/** A seed and what is done to it. Small, so that a counterexample can be read. */
export interface Plan {
  readonly seed: number;
  readonly structure: readonly StructureMutation[];
  readonly bytes: readonly ByteMutation[];
  readonly headers: readonly (readonly [string, string])[];
  readonly path: PathMutation | null;
  readonly method: string | null;
  /** Makes message ids differ, so that not all messages are repeats. */
  readonly salt: number;
}

interface StructureMutation {
  readonly kind: 'drop' | 'duplicate' | 'rename' | 'add' | 'replace' | 'wrap' | 'swap' | 'convert';
  /** Which node, counted through. */
  readonly at: number;
  readonly name: string;
  readonly value: number;
}

interface ByteMutation {
  readonly kind: 'truncate' | 'flip' | 'insert' | 'mark' | 'double';
  readonly at: number;
  readonly byte: number;
}

interface PathMutation {
  readonly kind: 'insert' | 'cut' | 'append' | 'double';
  readonly at: number;
  readonly text: string;
}

const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'id',
  'taskId',
  'metadata',
  'data',
  'text',
  '',
  'x',
  '$ref',
  'méta',
  '0',
];

/** Values that are hardly ever right. Made anew for each use: some are large. */
const VALUES: readonly (() => Value)[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, 5e-324].map((value) => () => value),
  ...[2 ** 31, -(2 ** 31) - 1, 2 ** 53, -(2 ** 63)].map((value) => () => value),
  ...[
    '',
    ' ',
    '\0',
    '\ud800',
    '\u{1f600}',
    'e\u0301',
    '\u202e',
    '\u2028',
    '%00',
    '..',
    'null',
    '-0',
    '1e3',
  ].map((value) => () => value),
  ...[
    'TASK_STATE_BOGUS',
    'TASK_STATE_UNSPECIFIED',
    'ROLE_AGENT',
    'ROLE_UNSPECIFIED',
    'role_user',
  ].map((value) => () => value),
  ...[
    '2024-02-30T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
    '0000-01-01T00:00:00Z',
    '2024-06-30T23:59:60Z',
    '2024-01-01T00:00:00+23:59',
  ].map((value) => () => value),
  ...[
    '%%%',
    'a===',
    'http://[::1',
    'javascript:alert(1)',
    'http://169.254.169.254/',
    'https://127.1/',
    'tiny-harness',
    'anonymous',
  ].map((value) => () => value),
  () => 'x'.repeat(5000),
  () => '\ud83d\ude00'.repeat(2000),
  () => [],
  () => ({}),
  () => [[[[[]]]]],
  () => nest(90),
  () => nest(150),
  () => nest(1000),
  () => Array.from({ length: 2000 }, () => ({})),
  () => Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`k${at}`, at])),
  () =>
    JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as Value,
];

const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ['a2a-version', ['', '0.3', '1.0', '1.0.7', '2.0', '1', 'x'.repeat(500), '1.0, 1.0', '\xe9']],
  [
    'content-type',
    [
      '',
      'text/plain',
      'application/json; charset=latin1',
      'application/a2a+json',
      'application/json;',
      ';',
      'APPLICATION/JSON',
      'a/b/c',
    ],
  ],
  ['content-encoding', ['gzip', 'identity', '']],
  ['accept', ['text/html', 'text/event-stream', '', '*/*;q=0']],
  [
    'a2a-extensions',
    [
      '',
      ',',
      ', ,,',
      'https://nowhere.example/x',
      'https://madarauchiha-314.github.io/tiny-harness/a2a/ext/task/v1',
      '\xff',
      'x'.repeat(3000),
    ],
  ],
  [
    'x-participant-id',
    [
      '',
      'alice',
      'anonymous',
      'tiny-harness',
      'x'.repeat(256),
      'x'.repeat(257),
      '\xe9',
      '__proto__',
      'fuzz',
    ],
  ],
  [
    'last-event-id',
    ['', '0', '1', '-1', 'abc', '99999999999999999999', '0x1', '1.5', '00', '5, 5'],
  ],
  ['if-none-match', ['*', '"x"', 'W/']],
  ['x-request-id', ['abc', '\xe9', 'x'.repeat(1000)]],
  ['expect', ['100-continue']],
  ['connection', ['close', 'upgrade']],
];

const PATHS = [
  '%',
  '%zz',
  '%00',
  '%2F',
  '%2e%2e',
  '../',
  './',
  '//',
  ':',
  ':cancel',
  ':subscribe',
  '/x',
  '?',
  '&',
  '=',
  '?id=1&id=2',
  '?pageSize=9999999999',
  '?a2a-version=0.3',
  '#',
  '%ff',
  '%f0%9f%98%80',
  ';',
  '\\',
  '+',
  '*',
];

/** Plans for so many seeds. Most leave most of the request as it is: what is wholly broken gets no far. */
export function planArbitrary(seeds: number): fc.Arbitrary<Plan> {
  const structure = fc.record({
    kind: fc.constantFrom<StructureMutation['kind']>(
      'drop',
      'duplicate',
      'rename',
      'add',
      'replace',
      'replace',
      'wrap',
      'swap',
      'convert',
    ),
    at: fc.nat(60),
    name: fc.constantFrom(...NAMES),
    value: fc.nat(VALUES.length - 1),
  });
  const bytes = fc.record({
    kind: fc.constantFrom<ByteMutation['kind']>('truncate', 'flip', 'insert', 'mark', 'double'),
    at: fc.nat(800),
    byte: fc.integer({ min: 1, max: 255 }),
  });
  const path = fc.record({
    kind: fc.constantFrom<PathMutation['kind']>('insert', 'cut', 'append', 'double'),
    at: fc.nat(60),
    text: fc.constantFrom(...PATHS),
  });
  const header = fc.constantFrom(
    ...HEADERS.flatMap(([name, values]) => values.map((value) => [name, value] as const)),
  );
  return fc.record({
    seed: fc.nat(seeds - 1),
    structure: rarely(fc.array(structure, { minLength: 1, maxLength: 3 }), 3),
    bytes: rarely(fc.array(bytes, { minLength: 1, maxLength: 2 }), 1),
    headers: rarely(fc.array(header, { minLength: 1, maxLength: 2 }), 1),
    path: seldom(path, 6),
    method: seldom(fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'), 20),
    salt: fc.nat(1_000_000),
  });
}

/** The list in `weight` of 4 cases, nothing otherwise. */
function rarely<T>(list: fc.Arbitrary<T[]>, weight: number): fc.Arbitrary<T[]> {
  return fc.oneof(
    { weight, arbitrary: list },
    { weight: 4 - weight, arbitrary: fc.constant<T[]>([]) },
  );
}

/** Something in one of so many cases, null otherwise. */
function seldom<T>(something: fc.Arbitrary<T>, among: number): fc.Arbitrary<T | null> {
  return fc.oneof(
    { weight: 1, arbitrary: something },
    { weight: among - 1, arbitrary: fc.constant(null) },
  );
}

/** The bytes of the planned request. */
export function writePlan(plan: Plan, seeds: readonly Seed[]): Buffer {
  const seed = seeds[plan.seed]!;
  const json = seed.body === undefined ? undefined : salted(seed.body, plan.salt);
  const mutated = json === undefined ? undefined : plan.structure.reduce(mutateValue, json);
  const text = mutated === undefined ? '' : JSON.stringify(mutated);
  const body = plan.bytes.reduce(mutateBytes, Buffer.from(text));
  const path = plan.path === null ? seed.path : mutatePath(seed.path, plan.path);
  const method = plan.method ?? seed.method;
  const headers = new Map([
    ['host', 'localhost'],
    ['a2a-version', '1.0'],
    ['x-participant-id', 'fuzz'],
    ['content-type', 'application/json'],
    ...plan.headers,
    ['content-length', String(body.length)],
  ]);
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines}\r\n`, 'latin1'), body]);
}

function salted(body: Value, salt: number): Value {
  return JSON.parse(JSON.stringify(body).replace('"seed"', `"seed-${salt}"`)) as Value;
}

/** A place in a JSON value. */
interface Place {
  readonly parent: Value[] | Record<string, Value>;
  readonly key: string;
}

function mutateValue(root: Value, { kind, at, name, value }: StructureMutation): Value {
  const holder: Record<string, Value> = { root };
  const places = [...listPlaces(holder)];
  const { parent, key } = places[at % places.length]!;
  const here = read(parent, key);
  const odd = VALUES[value]!();
  switch (kind) {
    case 'drop':
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else if (parent !== holder) Reflect.deleteProperty(parent, key);
      break;
    case 'duplicate':
      if (Array.isArray(parent)) parent.push(here);
      else define(parent, name, here);
      break;
    case 'rename':
      if (Array.isArray(parent) || parent === holder) break;
      Reflect.deleteProperty(parent, key);
      define(parent, name, here);
      break;
    case 'add':
      if (typeof here === 'object' && here !== null && !Array.isArray(here))
        define(here, name, odd);
      break;
    case 'replace':
      define(parent, key, odd);
      break;
    case 'wrap':
      define(parent, key, value % 2 === 0 ? [here] : { [name]: here });
      break;
    case 'swap': {
      const other = places[(at + value + 1) % places.length]!;
      define(parent, key, structuredClone(read(other.parent, other.key)));
      break;
    }
    case 'convert':
      define(parent, key, typeof here === 'string' ? here.length : JSON.stringify(here));
  }
  return holder.root ?? null;
}

function* listPlaces(parent: Place['parent'], depth = 0): Generator<Place> {
  for (const [key, child] of Object.entries(parent)) {
    yield { parent, key };
    // What was made very deep is left as it is.
    if (typeof child === 'object' && child !== null && depth < 20)
      yield* listPlaces(child, depth + 1);
  }
}

function read(parent: Place['parent'], key: string): Value {
  return (Object.getOwnPropertyDescriptor(parent, key)?.value ?? null) as Value;
}

/** Sets a member, `__proto__` like any other. */
function define(parent: object, key: string, value: Value): void {
  Object.defineProperty(parent, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

function nest(levels: number): Value {
  let value: Value = 0;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { n: value };
  return value;
}

function mutateBytes(bytes: Buffer, { kind, at, byte }: ByteMutation): Buffer {
  const place = bytes.length === 0 ? 0 : at % bytes.length;
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  switch (kind) {
    case 'truncate':
      return before;
    case 'flip':
      return Buffer.concat([before, Buffer.from([(after[0] ?? 0) ^ byte]), after.subarray(1)]);
    case 'insert':
      return Buffer.concat([before, Buffer.from([byte]), after]);
    case 'mark':
      return Buffer.concat([Buffer.from('\ufeff'), bytes]);
    case 'double':
      return Buffer.concat([bytes, bytes]);
  }
}

function mutatePath(path: string, { kind, at, text }: PathMutation): string {
  const place = 1 + (at % path.length);
  switch (kind) {
    case 'insert':
      return path.slice(0, place) + text + path.slice(place);
    case 'cut':
      return path.slice(0, place);
    case 'append':
      return path + text;
    case 'double':
      return path + path;
  }
}
