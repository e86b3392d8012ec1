import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/http/body.ts';

const parse = (text: string, maxDepth = 100) => parseJson(Buffer.from(text), maxDepth);

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('JSON is what it stands for, and as deep as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const expected: unknown = JSON.parse(text);
      const depth = depthOf(expected);
      expect(parse(text, depth)).toEqual(expected);
      if (depth > 0) expect(() => parse(text, depth - 1)).toThrow(`the ${depth - 1} levels`);
    }),
  );
});

test('brackets and quotes in strings are no nesting', () => {
  const text = JSON.stringify(['[[[', '{"\\"[[', '\\', '\\\\"', ']']);
  expect(parse(text, 1)).toEqual(JSON.parse(text));
});

test('depth is refused before anything is parsed', () => {
  expect(() => parse('['.repeat(200_000))).toThrow('deeper than the 100 levels');
});

test('a string that never ends is a parse error', () => {
  for (const text of ['"', '"\\', '"[', `"${'\\'.repeat(999)}"`]) {
    expect(() => parse(text)).toThrow('Invalid JSON payload');
  }
});

test('bytes that are not UTF-8 are refused', () => {
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xc0, 0x80, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
  ]) {
    expect(() => parseJson(Buffer.from(bytes), 10)).toThrow(
      expect.objectContaining({
        reason: 'PARSE_ERROR',
        details: { violations: [{ field: '', description: 'the body is not valid UTF-8' }] },
      }),
    );
  }
});

test('half a surrogate pair is refused by its place, a whole pair is taken', () => {
  expect(parse('{"a":"\\ud83d\\ude00"}')).toEqual({ a: '😀' });
  for (const [text, field] of [
    ['"\\ud83d"', ''],
    ['{"a":{"b":["x","\\uDE00\\ud83d"]}}', 'a.b[1]'],
    ['{"a":{"\\ud83d":1}}', 'a'],
  ] as const) {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        reason: 'INVALID_REQUEST',
        details: { violations: [expect.objectContaining({ field })] },
      }),
    );
  }
});

test('a member called __proto__ is a member', () => {
  const value = parse('{"__proto__":{"polluted":true}}') as object;
  expect(Object.keys(value)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});
