/** However a project is damaged, checking it ends with diagnostics or none, never with an exception. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../codegen/diagnostics.ts';
import type { Json } from '../../codegen/json.ts';
import { followPointer, isArray, isObject, joinPointer } from '../../codegen/json.ts';
import { checkProject } from '../../codegen/pipeline.ts';
import { readProject } from '../../codegen/read.ts';
import { KEYWORDS } from '../../codegen/vocabulary.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const intact = readProject(root);

/** The project's own files: all that a person would edit. */
const paths = [...intact.files.keys()].filter((path) => path.startsWith('schemas/'));
const jsonPaths = paths.filter((path) => path.endsWith('.json'));

function checkWith(path: string, text: string): readonly Diagnostic[] {
  const files = new Map(intact.files);
  files.set(path, new TextEncoder().encode(text));
  return checkProject({ ...intact, files });
}

function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The pointers of all values in a value. */
function listPlaces(value: Json, pointer = ''): string[] {
  const members = isArray(value) || isObject(value) ? Object.entries(value) : [];
  const inner = members.flatMap(([key, item]: [string, Json]) =>
    listPlaces(item, joinPointer(pointer, key)),
  );
  return [pointer, ...inner];
}

/** Each diagnostic points into its file, and can be read on a line. */
function expectReadable(diagnostics: readonly Diagnostic[]): void {
  for (const { file, line, column, message, hint = 'x' } of diagnostics) {
    expect(file).not.toBe('');
    expect(Math.min(line, column)).toBeGreaterThan(0);
    expect(`${message}${hint}`).not.toMatch(/\n|undefined|\[object/);
  }
}

describe('a damaged project', () => {
  const values: Json[] = [
    null,
    true,
    0,
    -1,
    'a',
    '#/$defs/x',
    '/',
    [],
    {},
    [{}],
    ['a', 'a'],
    { a: 1 },
  ];
  const names = fc.oneof(
    fc.constantFrom(...KEYWORDS.keys()),
    fc.constantFrom('a', '__proto__', ''),
  );

  it('is named when a value is another', () => {
    const damage = fc.record({
      path: fc.constantFrom(...jsonPaths),
      place: fc.nat(),
      name: names,
      value: fc.oneof(fc.constantFrom(...values), fc.constantFrom(undefined)),
    });
    fc.assert(
      fc.property(damage, ({ path, place, name, value }) => {
        const json = JSON.parse(readText(path)) as Json;
        const places = listPlaces(json);
        const target = followPointer(json, places[place % places.length] ?? '');
        if (typeof target !== 'object' || target === null) return;
        const key = isArray(target) ? String(place % (target.length + 1)) : name;
        const changes = { value, enumerable: true, configurable: true, writable: true };
        if (value === undefined)
          Reflect.deleteProperty(target, Object.keys(target)[place % 7] ?? key);
        else Object.defineProperty(target, key, changes);
        expectReadable(checkWith(path, JSON.stringify(json)));
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  it('is named when characters are lost', () => {
    const damage = fc.record({ path: fc.constantFrom(...paths), at: fc.nat(), length: fc.nat(40) });
    fc.assert(
      fc.property(damage, ({ path, at, length }) => {
        const text = readText(path);
        const start = at % text.length;
        expectReadable(checkWith(path, text.slice(0, start) + text.slice(start + length)));
      }),
      { numRuns: 100 },
    );
  }, 60_000);

  it('is clean when it is not damaged', () => {
    expect(checkProject(intact)).toEqual([]);
  });
});
