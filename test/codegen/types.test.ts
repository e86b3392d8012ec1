/** What each construct of JSON Schema becomes in TypeScript, to the letter. */
import { describe, expect, it } from 'vitest';
import { generateTypes } from '../../codegen/index.ts';
import { checkTypes } from '../support/type-check.ts';
import { arrays } from './type-tables/arrays.ts';
import { combinations } from './type-tables/combinations.ts';
import { comments } from './type-tables/comments.ts';
import { defaults } from './type-tables/defaults.ts';
import { names } from './type-tables/names.ts';
import { objects } from './type-tables/objects.ts';
import { references } from './type-tables/references.ts';
import { values } from './type-tables/values.ts';

const tables = { values, objects, arrays, references, combinations, defaults, comments, names };

describe.each(Object.entries(tables))('types of %s', (_table, table) => {
  it.each(table)('%s', (_name, { given, want }) => {
    const before = JSON.stringify(given);
    const { code } = generateTypes(given);
    expect(`\n${code}`).toBe(want);
    expect(JSON.stringify(given)).toBe(before);
  });
});

describe('all of them', () => {
  it('compile', { timeout: 60_000 }, () => {
    const modules = Object.values(tables)
      .flat()
      .map(([, { want }], index): [string, string] => [`case-${String(index)}.ts`, want]);
    expect(checkTypes(new Map(modules))).toEqual([]);
  });

  it('are named as asked', () => {
    const { code, typeName, inputTypeName } = generateTypes(
      { type: 'object', additionalProperties: false, properties: { x: { default: 1 } } },
      'Thing',
    );
    expect([typeName, inputTypeName]).toEqual(['Thing', 'ThingInput']);
    expect(code).toContain('export interface ThingInput {');
    expect(generateTypes({ type: 'string' }, 'Text')).toEqual({
      code: 'export type Text = string;\n',
      typeName: 'Text',
      inputTypeName: 'Text',
    });
  });
});
