/** The comments above types and members: descriptions, and constraints as JSDoc tags. */
import type { Json } from '../json.ts';
import { getOwn, isArray, isObject } from '../json.ts';
import type { SchemaAt } from '../resolution.ts';

/** Keywords that a comment states because a type cannot. */
const TAGS = [
  'default',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];

/** A schema's comment: its description, then a tag a constraint, examples, and deprecation. */
export function commentOf(at: SchemaAt | undefined): string {
  const schema = at?.schema;
  if (!isObject(schema)) return '';
  const description = getOwn(schema, 'description');
  // A line that begins with @ would be a tag.
  const lines =
    typeof description === 'string' ? [description.trim().replaceAll(/^(\s*)@/gm, '$1\\@')] : [];
  const tags = TAGS.flatMap((keyword) => {
    const value = getOwn(schema, keyword);
    return value === undefined ? [] : [`@${keyword} ${inline(value)}`];
  });
  const examples = getOwn(schema, 'examples');
  for (const example of isArray(examples) ? examples : []) {
    const text = inline(example);
    if (text.length <= 80) tags.push(`@example ${text}`);
  }
  if (getOwn(schema, 'deprecated') === true) tags.push('@deprecated');
  if (lines.length > 0 && tags.length > 0) lines.push('');
  return [...lines, ...tags].join('\n');
}

function inline(value: Json): string {
  return typeof value === 'string' && !/[\s"]/.test(value) && value !== ''
    ? value
    : JSON.stringify(value);
}
