/**
 * The keywords that apply further schemas to the same value.
 */
import { nameExpected } from './shape.js';
import { checkUnion } from './union.js';
import { showName } from './wording.js';

/** @type {import('./visit.js').Table<unknown>} */
export const IN_PLACE = {
  $ref(visit, reference) {
    visit.follow(reference);
  },
  allOf(visit, schemas) {
    for (const [index, schema] of schemas.entries())
      visit.same(schema, `${visit.at}/allOf/${index}`);
  },
  anyOf: checkUnion,
  oneOf: checkUnion,
  if(visit, schema) {
    const attempt = visit.attempt(schema, `${visit.at}/if`);
    const keyword = attempt.findings.length === 0 ? 'then' : 'else';
    if (keyword === 'then') visit.adopt(attempt);
    visit.same(visit.schema[keyword] ?? true, `${visit.at}/${keyword}`);
  },
  not(visit, schema) {
    if (visit.accepts(schema))
      visit.fail('not', () => `not ${nameExcluded(visit.run.root, schema)}`);
  },
};

/**
 * What a value may not be or have: exact where the schema says one thing, vague otherwise.
 * @param {import('./shape.js').FlatSchema} root
 * @param {import('./shape.js').FlatSchema} schema
 * @returns {string}
 */
function nameExcluded(root, schema) {
  const { required, ...others } = typeof schema === 'object' ? schema : {};
  const [keyword = '', ...more] = Object.keys(others);
  if (required && keyword === '') return `have ${required.map(showName).join(' and ')}`;
  const isOne = !required && more.length === 0 && /^(?:type|const|enum)$/.test(keyword);
  const phrase = isOne ? nameExpected(root, schema) : undefined;
  return `be ${phrase ?? 'what the schema excludes'}`;
}
