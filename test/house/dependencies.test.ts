import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { afterEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rooms = ['codegen', 'generated', 'src', 'test'];

/** Lists the violations of the rules in a tree, as `rule: from -> to`. */
async function findViolations(baseDir: string): Promise<string[]> {
  const options = await extractDepcruiseOptions(join(root, '.dependency-cruiser.cjs'));
  const present = rooms.filter((room) => existsSync(join(baseDir, room)));
  const { output } = await cruise(present, { ...options, baseDir });
  if (typeof output === 'string') throw new TypeError(`expected a result object, got: ${output}`);
  return output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
}

describe('who may import whom', () => {
  it('holds in this repository', { timeout: 60_000 }, async () => {
    expect(await findViolations(root)).toEqual([]);
  });
});

describe('each rule bites', () => {
  let folder = '';
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function findViolationsOf(files: Readonly<Record<string, string>>): Promise<string[]> {
    folder = await mkdtemp(join(tmpdir(), 'dependencies-'));
    for (const [name, text] of Object.entries(files)) {
      const file = join(folder, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    return findViolations(folder);
  }

  const leaf = 'export const x = 1;\n';

  it.each<[rule: string, from: string, files: Readonly<Record<string, string>>]>([
    [
      'no-cycles',
      'src/core/a.ts',
      {
        'src/core/a.ts': "import { b } from './b.ts';\nexport const a = () => b;\n",
        'src/core/b.ts': "import { a } from './a.ts';\nexport const b = () => a;\n",
      },
    ],
    ['no-orphans', 'src/core/a.ts', { 'src/core/a.ts': leaf }],
    ['imports-resolve', 'src/main.ts', { 'src/main.ts': "import './nowhere.ts';\n" }],
    ['generated-stands-alone', 'generated/a.js', { 'generated/a.js': "import 'node:fs';\n" }],
    [
      'runtime-stands-alone',
      'codegen/runtime/a.js',
      { 'codegen/runtime/a.js': "import '../b.ts';\n", 'codegen/b.ts': leaf },
    ],
    [
      'codegen-not-to-its-output',
      'codegen/a.ts',
      { 'codegen/a.ts': "import '../generated/b.js';\n", 'generated/b.js': leaf },
    ],
    [
      'codegen-not-to-its-output',
      'codegen/a.ts',
      { 'codegen/a.ts': "import '@tiny-harness/contract';\n" },
    ],
    [
      'codegen-not-to-its-output',
      'codegen/a.ts',
      { 'codegen/a.ts': "import '../src/b.ts';\n", 'src/b.ts': leaf },
    ],
    [
      'product-not-to-tests',
      'src/a.ts',
      { 'src/a.ts': "import '../test/b.ts';\n", 'test/b.ts': leaf },
    ],
    ['core-is-pure', 'src/core/a.ts', { 'src/core/a.ts': "import 'node:fs';\n" }],
    [
      'core-knows-only-types-of-the-contract',
      'src/core/a.ts',
      {
        'src/core/a.ts': "import { x } from '../../generated/b.js';\nexport const y = x;\n",
        'generated/b.js': leaf,
      },
    ],
    [
      'store-and-stream-build-on-core',
      'src/store/a.ts',
      { 'src/store/a.ts': "import '../protocol/b.ts';\n", 'src/protocol/b.ts': leaf },
    ],
    [
      'extensions-build-on-core',
      'src/extensions/a.ts',
      { 'src/extensions/a.ts': "import '../protocol/b.ts';\n", 'src/protocol/b.ts': leaf },
    ],
    [
      'extensions-build-on-core',
      'src/extensions/a.ts',
      { 'src/extensions/a.ts': "import '../store/sqlite/b.ts';\n", 'src/store/sqlite/b.ts': leaf },
    ],
    [
      'commands-build-on-extensions',
      'src/commands/a.ts',
      { 'src/commands/a.ts': "import '../store/port.ts';\n", 'src/store/port.ts': leaf },
    ],
    [
      'commands-build-on-extensions',
      'src/commands/a.ts',
      { 'src/commands/a.ts': "import 'node:fs';\n" },
    ],
    [
      'http-speaks-to-protocol',
      'src/http/a.ts',
      { 'src/http/a.ts': "import '../extensions/b.ts';\n", 'src/extensions/b.ts': leaf },
    ],
    [
      'http-is-the-edge',
      'src/protocol/a.ts',
      { 'src/protocol/a.ts': "import '../http/b.ts';\n", 'src/http/b.ts': leaf },
    ],
    [
      'skills-behind-their-port',
      'src/tools/a.ts',
      { 'src/tools/a.ts': "import '../skills/b.ts';\n", 'src/skills/b.ts': leaf },
    ],
    [
      'skills-build-on-nothing-else',
      'src/skills/a.ts',
      { 'src/skills/a.ts': "import '../config/b.ts';\n", 'src/config/b.ts': leaf },
    ],
    ['fastify-at-the-edge', 'src/protocol/a.ts', { 'src/protocol/a.ts': "import 'fastify';\n" }],
    ['sql-in-the-store', 'src/core/a.ts', { 'src/core/a.ts': "import 'better-sqlite3';\n" }],
    ['sql-in-the-store', 'src/core/a.ts', { 'src/core/a.ts': "import 'node:sqlite';\n" }],
  ])('%s stops %s', async (rule, from, files) => {
    const found = await findViolationsOf(files);
    expect(found).toContainEqual(expect.stringContaining(`${rule}: ${from} -> `));
  });

  it('lets the core take types from the contract, the edge use fastify, and commands build on extensions', async () => {
    const found = await findViolationsOf({
      'src/core/a.ts': "import type { X } from '../../generated/b.js';\nexport type Y = X;\n",
      'src/http/c.ts': "import 'fastify';\nimport '../core/a.ts';\n",
      'src/store/d.ts': "import 'better-sqlite3';\nimport '../core/a.ts';\n",
      'src/store/port.ts': "import '../core/a.ts';\n",
      'src/extensions/f.ts': "import '../core/a.ts';\nimport '../store/port.ts';\n",
      'src/commands/g.ts': "import '../extensions/f.ts';\nimport '../../generated/b.js';\n",
      'generated/b.d.ts': 'export type X = 1;\n',
      'generated/b.js': 'export {};\n',
      'test/e.test.ts':
        "import '../src/http/c.ts';\nimport '../src/store/d.ts';\nimport '../src/commands/g.ts';\n",
    });
    const unresolved = (violation: string) => violation.startsWith('imports-resolve: ');
    expect(found.filter((violation) => !unresolved(violation))).toEqual([]);
  });
});
