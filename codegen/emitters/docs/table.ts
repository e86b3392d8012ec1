/** Markdown tables. Cells are Markdown already, escaped and on one line. */

/** A table; a column that is empty in every row is left out, a table without rows is ''. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const used = head.map((_, column) => rows.some((row) => (row[column] ?? '') !== ''));
  const line = (cells: readonly string[]): string =>
    `| ${cells.filter((_, column) => used[column]).join(' | ')} |`;
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map(line).join('\n');
}
