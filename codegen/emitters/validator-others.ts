/**
 * The keywords `otherProperties` and `otherItems`: what holds for the rest, which no other keyword of the
 * schema covers. A failure in code that is no alternative returns at once, so none is looked for here.
 */
import type { KeywordCxt } from 'ajv';
import { _, nil } from 'ajv/dist/compile/codegen/index.js';
import type { Code, Name } from 'ajv/dist/compile/codegen/index.js';
import { usePattern } from 'ajv/dist/vocabularies/code.js';
import type { Cover, Others, PlannedSchema } from './validator-dialect.ts';

/** Code that tells whether a variable holds none of some names. */
export type NameTest = (names: readonly string[], variable: Name) => Code;

/** Applies the keyword's schema to each property that no cover has. */
export function applyToOtherProperties(cxt: KeywordCxt, isNoneOf: NameTest): void {
  const { gen, data } = cxt;
  const { covers, schema } = cxt.schema as Others;
  const flags = covers.map(({ when }) => flagCover(cxt, when));
  gen.forIn('key', data, (key) => {
    const open = covers.flatMap((cover, index) => {
      const [flag, left] = [flags[index], isLeft(cxt, cover, key, isNoneOf)];
      return flag === undefined ? left : _`(!${flag} || ${joinAnd(left)})`;
    });
    gen.if(open.length === 0 ? true : joinAnd(open), () => {
      applyAt(cxt, schema, key);
    });
  });
}

/** Conditions that all hold where a cover does not have a property. */
function isLeft(cxt: KeywordCxt, cover: Cover, key: Name, isNoneOf: NameTest): Code[] {
  if (cover.all) return [_`false`];
  const patterns = cover.patterns.map((pattern) => _`!${usePattern(cxt, pattern)}.test(${key})`);
  return cover.names.length === 0 ? patterns : [isNoneOf(cover.names, key), ...patterns];
}

/** Applies the keyword's schema to each item that no cover has. */
export function applyToOtherItems(cxt: KeywordCxt): void {
  const { gen, data } = cxt;
  const { covers, schema } = cxt.schema as Others;
  const flags = covers.map(({ when }) => flagCover(cxt, when));
  const length = gen.const('len', _`${data}.length`);
  gen.forRange('i', 0, length, (item) => {
    const covered = gen.let('covered', false);
    covers.forEach((cover, index) => {
      gen.if(flags[index] ?? true, () => {
        coverItem(cxt, cover, item, covered);
      });
    });
    gen.if(_`!${covered}`, () => {
      applyAt(cxt, schema, item);
    });
  });
}

function coverItem(cxt: KeywordCxt, cover: Cover, item: Name, covered: Name): void {
  const { gen } = cxt;
  if (cover.all) gen.assign(covered, true);
  else if (cover.count > 0) gen.if(_`${item} < ${cover.count}`, () => gen.assign(covered, true));
  for (const schema of cover.matching) {
    gen.if(_`!${covered}`, () => {
      gen.assign(covered, tryAt(cxt, schema, item));
    });
  }
}

/** A variable that says whether all of `when` hold; none when nothing is asked. */
function flagCover(cxt: KeywordCxt, when: readonly PlannedSchema[]): Name | undefined {
  const [first, ...rest] = when;
  if (first === undefined) return undefined;
  const flag = cxt.gen.let('met', tryAt(cxt, first));
  for (const schema of rest) {
    cxt.gen.if(flag, () => cxt.gen.assign(flag, tryAt(cxt, schema)));
  }
  return flag;
}

/** A variable that says whether the value, or one part of it, is valid. */
function tryAt(cxt: KeywordCxt, schema: PlannedSchema, place?: Name): Name {
  const valid = cxt.gen.name('_valid');
  cxt.subschema({ ...locate(schema, place), compositeRule: true }, valid);
  return valid;
}

function applyAt(cxt: KeywordCxt, schema: PlannedSchema, place: Name): void {
  cxt.subschema(locate(schema, place), cxt.gen.name('valid'));
}

/** Ajv asks for a schema's whereabouts to describe errors; none is described. */
function locate(
  schema: PlannedSchema,
  place: Name | undefined,
): Parameters<KeywordCxt['subschema']>[0] {
  const nowhere = { schema, topSchemaRef: nil, schemaPath: nil, errSchemaPath: '' };
  return place === undefined ? nowhere : { ...nowhere, dataProp: place };
}

function joinAnd(conditions: readonly Code[]): Code {
  return conditions.reduce((left, right) => _`${left} && ${right}`);
}
