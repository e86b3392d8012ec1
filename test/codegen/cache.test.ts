/**
 * A run that the launcher skips, because a hash proves that nothing changed, says what a whole run would
 * have said. So does the run after any byte of input or output has changed.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../support/projects.ts';
import type { Run } from '../support/command-line.ts';
import { runCodegen } from '../support/command-line.ts';
import type { ScratchProject } from '../support/scratch-project.ts';
import { copyProject } from '../support/scratch-project.ts';

/** A verdict without what differs from run to run. */
function verdict({ code, out, err }: Run): Run {
  const [summary = ''] = out.split(', nothing changed');
  return { code, out: summary.replace(/\(\d+ ms\)/, '').trim(), err };
}

const SKIPPED = /, nothing changed since the last run\n$/;

describe('a run that finds nothing changed', { timeout: 60_000 }, () => {
  let project: ScratchProject;
  beforeAll(() => {
    project = copyProject();
    project.run();
  });
  afterAll(() => {
    project.remove();
  });

  it('is skipped, and says what was found', () => {
    const whole = project.run('--check', '--no-cache');
    const skipped = project.run('--check');
    expect(whole.out).not.toMatch(SKIPPED);
    expect(skipped.out).toMatch(SKIPPED);
    expect(verdict(skipped)).toEqual(verdict(whole));
    expect(verdict(project.run())).toEqual(verdict(whole));
  });

  it.each([
    ['--json', /^\{"mode":"check","status":"clean"/],
    ['--github', /^up to date/],
    ['--lint', /^the schemas are in order/],
    ['--help', /^Usage/],
  ])('is not skipped for %s', (flag, start) => {
    const args = flag === '--lint' || flag === '--help' ? [flag] : ['--check', flag];
    const { code, out } = project.run(...args);
    expect(code).toBe(0);
    expect(out).toMatch(start);
    expect(out).not.toMatch(SKIPPED);
  });

  const changes: readonly (readonly [
    what: string,
    path: string,
    change: (text: string) => string,
  ])[] = [
    ['a schema', 'schemas/extensions/order/v2/schema.json', (text) => `${text} `],
    [
      'a schema that says something else',
      'schemas/extensions/order/v2/schema.json',
      (text) => text.replace('Somebody.', 'Anybody..'),
    ],
    [
      'a schema that is broken',
      'schemas/extensions/order/v1/schema.json',
      (text) => text.replace('"string"', '"strinG"'),
    ],
    [
      'a manifest',
      'schemas/extensions/order/v2/extension.json',
      (text) => text.replace('O1', 'O3'),
    ],
    ['the contract file', 'schemas/contract.json', (text) => text.replace('Acme', 'Acne')],
    ['the card', 'schemas/agent-card.json', (text) => text.replace('2.1.0', '2.1.1')],
    ['types', 'generated/extensions/order/v2/order.d.ts', (text) => text.replace('?', '!')],
    ['a validator', 'generated/extensions/order/v2/order.validator.js', (text) => `${text}\n`],
    ['a bundled schema', 'generated/schemas/order/v1/schema.json', (text) => text.slice(1)],
    ['the package file', 'generated/package.json', (text) => text.replace('0.1.0', '0.1.1')],
    ['the README', 'generated/README.md', (text) => text.replace('Acme', 'acme')],
    ['the runtime', 'generated/runtime/parse.js', (text) => text.replace('return', 'Return')],
    ['the list of files', 'generated/manifest.json', (text) => text.replace('a', 'b')],
    ['a page', 'docs/contracts/ext/order/v2/index.md', (text) => text.replace('#', '# ')],
    ['a published schema', 'docs/contracts/ext/order/v1/schema.json', (text) => `${text} `],
  ];

  it.each(changes)('is not skipped after %s has changed', (_what, path, change) => {
    const before = project.read(path);
    const after = change(before);
    expect(after).not.toBe(before);
    project.write(path, after);
    const cached = project.run('--check');
    const whole = project.run('--check', '--no-cache');
    project.write(path, before);
    expect(cached.out).not.toMatch(SKIPPED);
    expect(verdict(cached)).toEqual(verdict(whole));
    expect(project.run('--check').code).toBe(0);
  });

  it.each([
    ['generated/extensions/order/v2/more.js'],
    ['docs/contracts/more.md'],
    ['schemas/extensions/order/v2/more.json'],
  ])('is not skipped after %s was added', (path) => {
    project.run('--check');
    project.write(path, '{}\n');
    const cached = project.run('--check');
    const whole = project.run('--check', '--no-cache');
    project.delete(path);
    expect(cached.code).not.toBe(0);
    expect(verdict(cached)).toEqual(verdict(whole));
  });

  it('is skipped again once the change is undone', () => {
    project.run('--check', '--no-cache');
    expect(project.run('--check').out).toMatch(SKIPPED);
  });

  it('is another for another project', () => {
    const other = copyProject();
    const { code, out } = other.run('--check');
    other.remove();
    expect(code).toBe(1);
    expect(out).toBe('');
  });
});

describe('schemas of packages', { timeout: 60_000 }, () => {
  const { path, remove } = makeFolder('workspace');
  const root = join(path, 'agents', 'orders');
  const schema = join(path, 'node_modules', 'order-schemas', 'order.json');
  afterAll(remove);
  beforeAll(() => {
    write(join(path, 'node_modules/order-schemas/package.json'), '{ "version": "1.0.0" }');
    write(
      schema,
      JSON.stringify({ title: 'Order', description: 'One.', type: 'object', properties: {} }),
    );
    write(
      join(root, 'schemas/contract.json'),
      JSON.stringify({
        name: 'orders',
        description: 'd',
        license: 'MIT',
        baseUrl: 'https://a.example/b',
      }),
    );
    write(
      join(root, 'schemas/extensions/order/v1/extension.json'),
      JSON.stringify({
        title: 'Order',
        uri: 'urn:order',
        description: 'd',
        purpose: 'p',
        order: 1,
        required: false,
        activation: 'always',
        data: [
          {
            name: 'order',
            in: ['task.metadata'],
            key: 'order',
            schema: 'urn:order-schema',
            description: 'd',
            examples: { minimal: {}, full: {} },
          },
        ],
        packages: [
          {
            name: 'order-schemas',
            version: '1.0.0',
            schemas: { 'urn:order-schema': 'order.json' },
          },
        ],
        rules: [],
      }),
    );
  });

  it('count as input, wherever above the project they are installed', () => {
    const args = ['--root', root];
    expect(runCodegen(args)).toMatchObject({ code: 0, err: '' });
    expect(runCodegen(['--check', ...args]).out).not.toBe('');
    expect(runCodegen(['--check', ...args]).out).toMatch(SKIPPED);
    write(schema, readFileSync(schema, 'utf8').replace('"One."', '"Two."'));
    const cached = runCodegen(['--check', ...args]);
    expect(cached.code).toBe(1);
    expect(verdict(cached)).toEqual(verdict(runCodegen(['--check', '--no-cache', ...args])));
  });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
