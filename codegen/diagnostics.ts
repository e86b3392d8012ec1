/** What every stage says when something is wrong, and the three forms it is printed in. */
import type { ParsedJson } from './json.ts';

/** One fault: which rule, where (file, JSON pointer, line and column from 1), what, and what to do. */
export interface Diagnostic {
  readonly rule: string;
  /** Path from the project's root, with forward slashes. */
  readonly file: string;
  readonly pointer: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint?: string;
}

/** A diagnostic at a place in a source file; `key` points at the member's name, not its value. */
export function diagnose(
  rule: string,
  source: { readonly path: string; readonly json: ParsedJson },
  pointer: string,
  message: string,
  options: { readonly key?: boolean; readonly hint?: string } = {},
): Diagnostic {
  const { line, column } = source.json.locate(pointer, { key: options.key === true });
  const hint = options.hint === undefined ? {} : { hint: options.hint };
  return { rule, file: source.path, pointer, line, column, message, ...hint };
}

/** Order for people: by file, then by place, then by rule; the same whatever order files came in. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) =>
      compare(a.file, b.file) ||
      a.line - b.line ||
      a.column - b.column ||
      compare(a.rule, b.rule) ||
      compare(a.message, b.message),
  );
}

/** `file:line:col  rule  message`, the pointer and the hint beneath. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, rule, message, pointer, hint } = diagnostic;
  const lines = [`${file}:${String(line)}:${String(column)}: ${message} [${rule}]`];
  if (pointer !== '') lines.push(`    at ${pointer}`);
  if (hint !== undefined) lines.push(`    ${hint}`);
  return lines.join('\n');
}

/** A GitHub Actions annotation (`::error file=…`). */
export function formatAnnotation(diagnostic: Diagnostic): string {
  const { file, line, column, rule, message, hint } = diagnostic;
  const text = hint === undefined ? message : `${message}. ${hint}`;
  const place = `file=${escapeProperty(file)},line=${String(line)},col=${String(column)}`;
  return `::error ${place},title=${escapeProperty(rule)}::${escapeData(text)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
