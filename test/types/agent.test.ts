/** Agents of one's own, as their authors' compilers see them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { repository } from '../support/projects.ts';
import { checkTypes } from '../support/type-check.ts';

const claims = readFileSync(join(repository, 'test/types/agent.test-d.ts'), 'utf8');
const lib = ['lib.es2022.d.ts', 'lib.dom.d.ts'];

describe('tiny-harness/agent', { timeout: 60_000 }, () => {
  it.each([
    ['node16', { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 }],
    [
      'bundler',
      { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    ],
  ])('says what it should with module resolution %s', (_name, options) => {
    expect(checkTypes(new Map([['agent.ts', claims]]), { ...options, lib })).toEqual([]);
  });

  it("has declarations that need no option of this repository's compiler", () => {
    const loose = { strict: false, exactOptionalPropertyTypes: false, lib };
    const text =
      "import { defineAgent } from 'tiny-harness/agent';\nexport default defineAgent({ run: () => 'a' });\n";
    expect(checkTypes(new Map([['agent.ts', text]]), loose)).toEqual([]);
  });
});
