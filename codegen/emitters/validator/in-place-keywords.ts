/**
 * The keywords that apply other schemas to the same value, but for `anyOf` and `oneOf`.
 */
import type { FlatSchema } from '../../flatten.ts';
import type { Json, JsonObject } from '../../json.ts';
import { isObject } from '../../json.ts';
import { call, not } from './condition.ts';
import { narrow } from './place.ts';
import { listOf, resolveReference } from './references.ts';
import type { Compiler, Row, Site } from './site.ts';
import type { Code } from './statements.ts';
import { check, when } from './statements.ts';
import { IDENTITY, NUMBER, STRING } from './value-keywords.ts';

/** `$ref`: a call, or the target itself where it does not look into the value. */
export const REFERENCE: readonly Row[] = [
  { keywords: ['$ref'], emit: emitReference, isTelling: true, isCondition: () => true },
];

/** `allOf`, which later keywords can build on. */
export const ALL_OF: readonly Row[] = [
  {
    keywords: ['allOf'],
    emit: emitAllOf,
    isTelling: true,
    isCondition: ({ allOf }, c) => areConditions(c, ...listOf(allOf)),
  },
];

/** `not`, `if`, `then` and `else`. */
export const BRANCHES: readonly Row[] = [
  {
    keywords: ['not'],
    emit: (site) => check(not(site.test(site.schema.not as FlatSchema, 'not'))),
    isCondition: () => true,
  },
  {
    keywords: ['if', 'then', 'else'],
    emit: emitIf,
    isCondition: ({ then, else: otherwise }, compiler) => areConditions(compiler, then, otherwise),
  },
];

function areConditions(compiler: Compiler, ...schemas: readonly (Json | undefined)[]): boolean {
  return schemas.every((schema) => compiler.isCondition((schema ?? true) as FlatSchema));
}

const SCALAR = new Set([...IDENTITY, ...NUMBER, ...STRING].flatMap(({ keywords }) => keywords));

function emitReference(site: Site): Code {
  const reference = site.schema.$ref as string;
  const target = resolveReference(site.compiler.root, reference);
  const isScalar = !isObject(target) || Object.keys(target).every((word) => SCALAR.has(word));
  if (isScalar) return site.apply(target);
  return check(call(`${site.compiler.define(reference)}(${site.place.name})`));
}

/** Each part is told what those before it have checked. */
function emitAllOf(site: Site): Code {
  let { place } = site;
  return listOf(site.schema.allOf).flatMap((part, index) => {
    const code = site.apply(part as FlatSchema, `allOf${index + 1}`, place);
    const { kinds, required } = site.compiler.shapeOf(part as FlatSchema);
    place = narrow(place, kinds, required);
    return code;
  });
}

function emitIf(site: Site): Code {
  const {
    if: test,
    then = true,
    else: otherwise = true,
  } = site.schema as JsonObject & {
    readonly if?: Json;
  };
  if (test === undefined) return [];
  const body = site.apply(then as FlatSchema, 'then', site.place, site.scope.nest());
  const rest = site.apply(otherwise as FlatSchema, 'else', site.place, site.scope.nest());
  if (body.length === 0 && rest.length === 0) return [];
  return when(site.test(test as FlatSchema, 'if'), body, rest);
}
