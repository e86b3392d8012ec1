/** The tables of the guide that explain where the server differs from the reference. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../support/projects.ts';
import type { Difference } from './compare.ts';

/** A row: in `where` and `field` a `*` stands for anything, in the values a `…`. */
export interface Explanation extends Difference {
  /** The recording and the step: `cancel: cancel again`. */
  readonly where: string;
  readonly why: string;
  /** The heading of its section. */
  readonly section: string;
}

const guide = join(repository, 'docs', 'guide', 'interop.md');

/** All rows, in their order. */
export function readExplanations(): Explanation[] {
  return readFileSync(guide, 'utf8')
    .split(/^## /m)
    .flatMap((text) => {
      const section = text.slice(0, text.indexOf('\n'));
      const rows = text.split('\n').filter((line) => line.startsWith('| `'));
      return rows.map((row) => readRow(row, section));
    });
}

function readRow(row: string, section: string): Explanation {
  const cells = row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1'));
  const [where, field, reference, ours, why] = cells;
  if (why === undefined || cells.length > 5)
    throw new Error(`a row of ${guide} has not five cells: ${row}`);
  return { where: where!, field: field!, reference: reference!, ours: ours!, why, section };
}

/** Whether the row speaks of this difference. */
export function explains(row: Explanation, where: string, difference: Difference): boolean {
  return (
    matches(row.where, where, '*') &&
    matches(row.field, difference.field, '*') &&
    matches(row.reference, difference.reference, '…') &&
    matches(row.ours, difference.ours, '…')
  );
}

function matches(pattern: string, text: string, wildcard: string): boolean {
  const parts = pattern.split(wildcard).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`).test(text);
}
