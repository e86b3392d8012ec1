/** Whether a value that a contract holds is valid against its schema, for the rules that ask that. */
import type { Diagnostic } from '../diagnostics.ts';
import { diagnose } from '../diagnostics.ts';
import { flatten } from '../flatten.ts';
import type { Json } from '../json.ts';
import type { Resolution, SchemaAt } from '../resolution.ts';
import { explain } from '../runtime/explain.js';
import type { SourceFile } from '../source.ts';

/** A value and where it stands: at a pointer of a file. */
export interface PlacedValue {
  readonly file: SourceFile;
  readonly pointer: string;
  readonly value: Json;
  /** What it is in a message: `the default`. */
  readonly subject: string;
}

/** More than this about one value helps nobody. */
const LIMIT = 5;

/** What is wrong with a value, each fault where it stands; nothing when the value is valid. */
export function explainValue(
  rule: string,
  resolution: Resolution,
  at: SchemaAt,
  { file, pointer, value, subject }: PlacedValue,
  hint: string,
): readonly Diagnostic[] {
  return explain(flatten(resolution, at), value, { limit: LIMIT }).map((error) => {
    const key = ['additionalProperties', 'unevaluatedProperties'].includes(error.keyword);
    // A path that begins with an index would read as the value itself.
    const item = /^\/\d/.test(error.path) ? 'item ' : '';
    const message = `${subject} is not valid: ${item}${error.message}`;
    return diagnose(rule, file, pointer + error.path, message, { key, hint });
  });
}
