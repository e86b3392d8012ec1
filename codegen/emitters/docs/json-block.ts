/** JSON as pages show it: in a fenced block, short values on one line. */
import type { Json } from '../../json.ts';
import { isArray } from '../../json.ts';

const WIDTH = 88;

/** A fenced block of JSON. Liquid finds nothing to run in it, and the value stays the same. */
export function printJsonBlock(value: Json): string {
  // Two braces in a row, or a brace and a percent sign, can only stand inside a string.
  const json = printJson(value, 0).replaceAll(/\{(?=[{%])/g, '\\u007b');
  return `\`\`\`json\n${json}\n\`\`\``;
}

function printJson(value: Json, indent: number): string {
  const flat = printFlat(value);
  if (indent + flat.length <= WIDTH || typeof value !== 'object' || value === null) return flat;
  const pad = ' '.repeat(indent + 2);
  const end = ' '.repeat(indent);
  if (isArray(value)) {
    return `[\n${value.map((item) => pad + printJson(item, indent + 2)).join(',\n')}\n${end}]`;
  }
  const members = Object.entries(value).map(
    ([key, member]) => `${pad}${JSON.stringify(key)}: ${printJson(member, indent + 2)}`,
  );
  return `{\n${members.join(',\n')}\n${end}}`;
}

/** A value on one line. */
export function printFlat(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(printFlat).join(', ')}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${printFlat(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
