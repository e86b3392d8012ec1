/**
 * Turns a flat schema into the text of a self-contained module: one exported function that says whether a
 * value is valid, and nothing else.
 */
import type { FlatSchema } from '../../flatten.ts';
import { Compiler } from './compiler.ts';
import { GROUPS } from './keywords.ts';
import { Module } from './module.ts';

/** Where the module finds its run-time helpers, and what its function is called. */
export interface ValidatorOptions {
  /** The specifier of `runtime/checks.js` as seen from the module. */
  readonly checksPath: string;
  readonly name: string;
}

/**
 * The text of an ES module that exports `function <name>(data)`, which says whether `data` is valid against
 * the schema (2020-12; `format` is an annotation). The module runs where code from strings is forbidden,
 * imports nothing but the helpers it uses, and has no side effects. A value that a recursive schema cannot
 * check because it is nested too deeply is not valid, and neither is NaN or Infinity where a schema asks
 * for a number. The text depends on the arguments alone.
 */
export function compileValidator(schema: FlatSchema, options: ValidatorOptions): string {
  const module = new Module(options.name);
  const compiler = new Compiler(schema, module, GROUPS);
  const root = compiler.define('#');
  return module.print(root, options.name, compiler.isRecursive, options.checksPath);
}
