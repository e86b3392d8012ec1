/** An input file, and what a stage of the pipeline hands to the next. */
import type { Diagnostic } from './diagnostics.ts';
import type { ParsedJson } from './json.ts';

/** One input file, parsed, with its positions. */
export interface SourceFile {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly json: ParsedJson;
}

/** What a stage yields: a value, or diagnostics when anything was wrong. */
export type Stage<T> =
  | { readonly value: T; readonly diagnostics: readonly [] }
  | { readonly value: undefined; readonly diagnostics: readonly Diagnostic[] };
