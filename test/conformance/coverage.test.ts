import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../support/projects.ts';
import { PAGE, readCoverage, writePage } from './coverage.mjs';

test('every rule of the contract has a test', () => {
  const without = [...readCoverage()].filter(([, found]) => found.length === 0);
  expect(without.map(([id]) => id)).toEqual([]);
});

test('the page of rules and tests is up to date: run node test/conformance/coverage.mjs', () => {
  expect(readFileSync(join(repository, PAGE), 'utf8')).toBe(writePage());
});
