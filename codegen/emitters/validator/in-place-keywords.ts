/**
 * The keywords that apply other schemas to the same value, but for `anyOf` and `oneOf`.
 */
import type { FlatSchema } from '../../flatten.ts';
import { isObject } from '../../json.ts';
import type { Row, Site } from './compiler.ts';
import { call, not } from './condition.ts';
import { narrow } from './place.ts';
import { listSchemas, resolveReference } from './references.ts';
import type { Code } from './statements.ts';
import { check, when } from './statements.ts';
import { IDENTITY, NUMBER, STRING } from './value-keywords.ts';

/** What always holds for the same value. */
export const CONJUNCTION: readonly Row[] = [
  { keywords: ['$ref'], emit: emitReference, isTelling: true },
  { keywords: ['allOf'], emit: emitAllOf, isTelling: true },
];

/** What holds or does not, as another schema does not or does. */
export const BRANCHES: readonly Row[] = [
  {
    keywords: ['not'],
    emit: (site) => check(not(site.test(site.schema.not as FlatSchema, 'not'))),
  },
  { keywords: ['if'], emit: emitIf },
];

const SCALAR = new Set([...IDENTITY, ...NUMBER, ...STRING].flatMap(({ keywords }) => keywords));

/** A call; or the target itself where it does not look into the value. */
function emitReference(site: Site): Code {
  const reference = site.schema.$ref as string;
  const target = resolveReference(site.compiler.root, reference);
  const isScalar = !isObject(target) || Object.keys(target).every((word) => SCALAR.has(word));
  if (isScalar) return site.apply(target, '');
  return check(call(`${site.compiler.define(reference)}(${site.place.name})`));
}

/** Each part is told what those before it have checked. */
function emitAllOf(site: Site): Code {
  let { place } = site;
  return listSchemas(site.schema.allOf).flatMap((part, index) => {
    const code = site.apply(part, `allOf${index + 1}`, place);
    const { kinds, required } = site.compiler.shapeOf(part);
    place = narrow(place, kinds, required);
    return code;
  });
}

function emitIf(site: Site): Code {
  const { if: test, then = true, else: otherwise = true } = site.schema;
  const [body, rest] = [then, otherwise].map((schema, index) =>
    site.apply(schema as FlatSchema, index === 0 ? 'then' : 'else', site.place, site.scope.nest()),
  );
  return when(site.test(test as FlatSchema, 'if'), body ?? [], rest);
}
