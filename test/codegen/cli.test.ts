/** The command line: what it writes, what it finds, what it says, and with which exit code it ends. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launcher, runCodegen } from '../support/command-line.ts';
import { makeFolder } from '../support/projects.ts';
import type { ScratchProject } from '../support/scratch-project.ts';
import { copyProject } from '../support/scratch-project.ts';

const SCHEMA = 'schemas/extensions/order/v2/schema.json';
const ORDER = 'generated/extensions/order/v2/order.d.ts';
const PAGE = 'docs/contracts/ext/order/v2/index.md';

let project: ScratchProject;
beforeEach(() => {
  project = copyProject();
});
afterEach(() => {
  project.remove();
});

/** A report as JSON, with what every report has. */
interface Report {
  readonly mode: string;
  readonly status: string;
  readonly files: number;
  readonly ms: number;
  readonly changes: readonly {
    readonly kind: string;
    readonly path: string;
    readonly line?: number;
  }[];
  readonly diagnostics: readonly {
    readonly rule: string;
    readonly file: string;
    readonly line: number;
  }[];
}

function report(...args: readonly string[]): Report {
  const { out, err } = project.run(...args, '--json');
  expect(err).toBe('');
  return JSON.parse(out) as Report;
}

const addNote = (): void => {
  project.replace(
    SCHEMA,
    '    "total": {',
    '    "memo": { "description": "A memo.", "type": "string" },\n    "total": {',
  );
};
const breakType = (): void => {
  project.replace(SCHEMA, '"default": "" }', '"default": 7 }');
};

describe('writing', () => {
  it('says what was written, then that nothing is left to write', () => {
    const first = project.run();
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toContain(`+ ${ORDER}\n`);
    expect(first.out).toMatch(/\n\d+ files changed \(\d+ ms\)\n$/);
    const tree = project.tree();
    expect(project.run('--no-cache')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^up to date: \d+ files \(\d+ ms\)\n$/) as string,
    });
    expect(project.tree()).toEqual(tree);
  });

  it('touches only files whose bytes change, and replaces each as a whole', () => {
    project.run();
    const before = new Map(
      [...project.tree().keys()].map((path) => [path, project.identity(path)]),
    );
    addNote();
    const { out } = project.run();
    const said = [...out.matchAll(/^~ ([^:\n]+)/gm)].map(([, path]) => path);
    const touched = [...before].filter(
      ([path, identity]) => path !== SCHEMA && project.identity(path) !== identity,
    );
    expect(touched.map(([path]) => path).sort()).toEqual(said.sort());
    expect(said).toContain(ORDER);
    // Another file under the same name: it was never half written.
    const node = (identity: string | undefined): string | undefined => identity?.split(' ')[1];
    expect(node(project.identity(ORDER))).not.toBe(node(before.get(ORDER)));
    expect([...project.tree().keys()].filter((path) => path.endsWith('.part'))).toEqual([]);
  });

  it('mends what was edited, and brings back what was deleted', () => {
    project.run();
    const tree = project.tree();
    project.edit(ORDER, (text) => text.replace('What was ordered', 'What was odered'));
    project.delete('docs');
    const { code, out } = project.run();
    expect(code).toBe(0);
    expect(out).toContain(`~ ${ORDER}:4\n`);
    expect(out).toContain(`+ ${PAGE}\n`);
    expect(project.tree()).toEqual(tree);
  });

  it('removes what no schema produces any more, and folders that are empty then', () => {
    project.run();
    project.delete('schemas/extensions/order/v1');
    const { code, out } = project.run();
    expect(code).toBe(0);
    expect(out).toContain('- generated/extensions/order/v1/order.d.ts\n');
    expect(out).toContain('- docs/contracts/ext/order/v1/index.md\n');
    expect(project.exists('generated/extensions/order/v1')).toBe(false);
    expect(project.exists('docs/contracts/ext/order/v1')).toBe(false);
    expect(project.exists(ORDER)).toBe(true);
    expect(project.run('--check', '--no-cache').code).toBe(0);
  });

  it('never removes what a person has edited or put there', () => {
    project.run();
    const edited = 'generated/extensions/order/v1/order.d.ts';
    const foreign = 'docs/contracts/notes.md';
    project.delete('schemas/extensions/order/v1');
    project.edit(edited, (text) => `${text}// mine\n`);
    project.write(foreign, 'mine\n');
    const { code, out } = project.run();
    expect(code).toBe(0);
    expect(out).toContain(`! ${edited} is not generated (any more)`);
    expect(out).toContain(`! ${foreign} is not generated`);
    expect(project.read(edited)).toContain('// mine');
    expect(project.read(foreign)).toBe('mine\n');
    expect(project.exists('generated/extensions/order/v1/order.js')).toBe(false);
    // It is told of again until somebody decides.
    expect(project.run().out).toContain(`! ${edited}`);
    expect(project.run('--check').code).toBe(1);
    project.delete(edited);
    project.delete(foreign);
    expect(project.run('--check').code).toBe(0);
  });

  it('refuses to overwrite what nobody generated, and then writes nothing', () => {
    project.write(PAGE, 'by hand\n');
    project.write('generated/index.js', 'by hand\n');
    const tree = project.tree();
    const { code, out, err } = project.run();
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.split('\n')).toEqual([
      `${PAGE} would be overwritten, and nobody generated it: move or remove it`,
      'generated/index.js would be overwritten, and nobody generated it: move or remove it',
      '2 files in the way; nothing was written',
      '',
    ]);
    expect(project.run('--check')).toMatchObject({ code: 1 });
    expect(report()).toMatchObject({ status: 'refused' });
    expect(project.tree()).toEqual(tree);
    project.delete(PAGE);
    project.delete('generated/index.js');
    expect(project.run()).toMatchObject({ code: 0, err: '' });
    expect(project.run('--check').code).toBe(0);
  });

  it('refuses also what appears later, and a folder where a file belongs', () => {
    project.run();
    addNote();
    project.delete('generated/README.md');
    project.write('generated/README.md/mine.txt', 'by hand\n');
    project.edit('generated/manifest.json', (text) => text.replace(PAGE, 'docs/other.md'));
    const { code, err } = project.run();
    expect(code).toBe(2);
    expect(err).toContain(`${PAGE} would be overwritten`);
    expect(err).toContain('generated/README.md would be overwritten');
  });

  it('takes over the version that a workspace needs before there is a package', () => {
    project.write('generated/package.json', '{ "name": "x", "version": "3.1.4" }\n');
    expect(project.run()).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(project.read('generated/package.json'))).toMatchObject({ version: '3.1.4' });
  });

  it('writes and removes nothing through a link that leads out of the project', () => {
    project.run();
    const elsewhere = makeFolder('elsewhere');
    const inside = 'generated/extensions/order/v1';
    try {
      cpSync(join(project.root, inside), elsewhere.path, { recursive: true });
      project.delete(inside);
      symlinkSync(elsewhere.path, join(project.root, inside));
      const { code, err } = project.run('--no-cache');
      expect(code).toBe(2);
      expect(err).toContain(`${inside}/index.js would be written outside the project`);
      project.delete('schemas/extensions/order/v1');
      const { out } = project.run();
      expect(out).toContain(`! ${inside}/index.js is not generated`);
      expect(readdirSync(elsewhere.path)).toContain('index.js');
    } finally {
      elsewhere.remove();
    }
  });

  it('follows links that stay in the project', () => {
    project.run();
    project.move('docs', 'pages');
    symlinkSync('pages', join(project.root, 'docs'));
    expect(project.run('--no-cache')).toMatchObject({ code: 0, err: '' });
  });

  it('removes nothing outside its folders, whatever the list of files says', () => {
    project.run();
    const victim = 'docs/../schemas/contract.json';
    project.edit('generated/manifest.json', (text) => {
      const list = JSON.parse(text) as { files: Record<string, string> };
      return JSON.stringify({
        files: { ...list.files, [victim]: '', 'schemas/contract.json': '' },
      });
    });
    expect(project.run()).toMatchObject({ code: 0 });
    expect(project.exists('schemas/contract.json')).toBe(true);
  });

  it('takes a list of files that is no list for none', () => {
    project.run();
    project.write('generated/manifest.json', 'nonsense');
    const { code, out } = project.run();
    expect(code).toBe(0);
    expect(out).toContain('~ generated/manifest.json:1\n');
  });
});

describe('checking', () => {
  it('lists what is missing, stale and orphaned with the first line that differs, and writes nothing', () => {
    project.run();
    project.edit(ORDER, (text) => text.replace('number: string;', 'number: any;'));
    project.delete(PAGE);
    project.delete('schemas/extensions/order/v1');
    project.edit('generated/extensions/order/v1/order.js', (text) => `${text}\n`);
    const tree = project.tree();
    const { code, out, err } = project.run('--check');
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toContain(`${PAGE}: missing\n`);
    expect(err).toContain(
      `${ORDER}:11: stale\n    found       number: any;\n    expected    number: string;\n`,
    );
    expect(err).toContain('generated/extensions/order/v1/order.d.ts: orphaned;');
    expect(err).toContain('generated/extensions/order/v1/order.js is not generated (any more)');
    expect(err).toMatch(/\d+ files are not what the schemas say: run codegen .*\n$/);
    expect(project.tree()).toEqual(tree);
  });

  it('names files that nobody generated, wherever they are below generated/', () => {
    project.run();
    project.write('generated/stray.js', '');
    project.write('generated/foo/a.js', '');
    project.write('generated/CHANGELOG.md', '# 1.0.0\n');
    const { code, err } = project.run('--check');
    expect(code).toBe(1);
    expect(err.split('\n')).toEqual([
      expect.stringMatching(/^generated\/foo\/a\.js is not generated/),
      expect.stringMatching(/^generated\/stray\.js is not generated/),
      '2 files are not what the schemas say: move or remove them by hand',
      '',
    ]);
  });

  it('is red for a project that was never generated', () => {
    const { code, err } = project.run('--check');
    expect(code).toBe(1);
    expect(err).toContain(`${ORDER}: missing\n`);
    expect(project.exists('generated')).toBe(false);
  });

  it('accepts a checkout with CRLF line ends', () => {
    project.run();
    for (const path of project.tree().keys()) {
      project.edit(path, (text) => text.replaceAll('\n', '\r\n'));
    }
    expect(project.run('--check', '--no-cache')).toMatchObject({ code: 0, err: '' });
  });

  it('needs to write nothing at all', () => {
    project.run();
    const before = project.tree();
    lock(project.root, 0o555, 0o444);
    const result = project.run('--check', '--no-cache');
    const asNobody = runAsNobody('--check', '--no-cache', '--root', project.root);
    lock(project.root, 0o755, 0o644);
    expect(result).toMatchObject({ code: 0, err: '' });
    if (asNobody !== undefined) expect(asNobody).toMatchObject({ code: 0, err: '' });
    expect(project.tree()).toEqual(before);
  });
});

/** Takes away, or gives back, the right to write. */
function lock(folder: string, forFolders: number, forFiles: number): void {
  chmodSync(folder, forFolders);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? forFolders : forFiles);
  }
}

/**
 * The same as a user who owns nothing, for whom permissions count; undefined where this process may not
 * become one, or where that user may not even read the repository.
 */
function runAsNobody(...args: readonly string[]): { code: number | null; err: string } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const options = { encoding: 'utf8', uid: 65534, gid: 65534 } as const;
  const probe = ['-e', `require('fs').readFileSync(${JSON.stringify(launcher)})`];
  if (spawnSync(process.execPath, probe, options).status !== 0) return undefined;
  const { status, stderr } = spawnSync(process.execPath, [launcher, ...args], options);
  return { code: status, err: stderr };
}

describe('broken schemas', () => {
  it('end with code 2 and a place to look at, and nothing is written', () => {
    project.run();
    addNote();
    breakType();
    const tree = project.tree();
    for (const args of [[], ['--check'], ['--lint']]) {
      const { code, out, err } = project.run(...args);
      expect(code).toBe(2);
      expect(out).toBe('');
      expect(err).toMatch(
        /^schemas\/extensions\/order\/v2\/schema\.json:\d+:\d+: .*\[DEFAULT_VALID\]\n {4}at \/\$defs\/Line\/properties\/note\/default\n/,
      );
      expect(err).toContain('1 problem');
    }
    expect(project.tree()).toEqual(tree);
  });

  it('are all told of at once, sorted by place', () => {
    breakType();
    project.replace(
      SCHEMA,
      '"type": "number",\n      "minimum": 0',
      '"typ": "number",\n      "minimum": 0',
    );
    project.replace('schemas/extensions/order/v1/schema.json', '"title"', '"titel"');
    const { err } = project.run();
    const rules = [...err.matchAll(/^(schemas\S+?):(\d+):\d+: .*\[(\w+)\]$/gm)];
    expect(rules.map(([, file, , rule]) => [file, rule])).toEqual([
      ['schemas/extensions/order/v1/schema.json', 'UNKNOWN_KEYWORD'],
      [SCHEMA, 'UNKNOWN_KEYWORD'],
    ]);
    expect(err).toContain('2 problems; nothing was written\n');
  });
});

describe('linting', () => {
  it('says that all is well, and writes nothing', () => {
    expect(project.run('--lint')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^the schemas are in order \(\d+ ms\)\n$/) as string,
    });
    expect(project.exists('generated')).toBe(false);
  });
});

describe('--json', () => {
  it('prints one object, whatever happened', () => {
    const written = report();
    expect(written).toMatchObject({ mode: 'write', status: 'changed', diagnostics: [] });
    expect(written.changes).toHaveLength(written.files);
    expect(written.changes[0]).toMatchObject({ kind: 'missing' });
    expect(report('--check')).toMatchObject({ mode: 'check', status: 'clean', changes: [] });

    project.edit(ORDER, (text) => text.replace('number: string;', 'number: any;'));
    expect(report('--check')).toMatchObject({
      status: 'changed',
      changes: [
        {
          kind: 'stale',
          path: ORDER,
          line: 11,
          found: '  number: any;',
          expected: '  number: string;',
        },
      ],
    });

    breakType();
    expect(report('--check')).toMatchObject({
      status: 'broken',
      changes: [],
      diagnostics: [
        { rule: 'DEFAULT_VALID', file: SCHEMA, pointer: '/$defs/Line/properties/note/default' },
      ],
    });
  });

  it('ends with the same codes', () => {
    expect(project.run('--check', '--json').code).toBe(1);
    expect(project.run('--json').code).toBe(0);
    breakType();
    expect(project.run('--json').code).toBe(2);
  });
});

describe('GitHub annotations', () => {
  const place = /^::error file=[^,]+,line=\d+(,col=\d+)?,title=\w+::[^\n]+$/;

  it('point at the line of a fault', () => {
    breakType();
    const { code, err } = project.run('--check', '--github');
    const [line = ''] = err.split('\n');
    expect(code).toBe(2);
    expect(line).toMatch(place);
    expect(line).toContain(`file=${SCHEMA},`);
    expect(line).toContain('title=DEFAULT_VALID');
  });

  it('point at the line of a difference, and are what a workflow gets unasked', () => {
    project.run();
    project.edit(ORDER, (text) => text.replace('number: string;', 'number: any;'));
    const asked = project.run('--check', '--github');
    const { code, err } = runCodegen(['--check', '--root', project.root], {
      GITHUB_ACTIONS: 'true',
    });
    expect(code).toBe(1);
    expect(err).toBe(asked.err);
    const [line = ''] = err.split('\n');
    expect(line).toMatch(place);
    expect(line).toContain(`file=${ORDER},line=11,title=drift::`);
    expect(line).toContain('%0A');
  });
});

describe('arguments', () => {
  it.each([['--help'], ['-h']])('%s explains them, with examples and exit codes', (flag) => {
    const { code, out, err } = runCodegen([flag]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const option of [
      '--check',
      '--lint',
      '--watch',
      '--root DIR',
      '--json',
      '--github',
      '--no-cache',
    ]) {
      expect(out).toContain(option);
    }
    expect(out).toContain('Examples\n  npm run codegen ');
    expect(out).toMatch(/Exit codes\n {2}0 .*\n {2}1 .*\n {2}2 /);
  });

  it.each([
    [['--chekc'], "Unknown option '--chekc'"],
    [['--check', '--watch'], '--check and --watch exclude each other'],
    [['--root'], '--root'],
    [['schemas'], "Unexpected argument 'schemas'"],
  ])('%j is refused in one line, with where to read on', (args, words) => {
    const { code, out, err } = runCodegen(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(words);
    expect(err).toContain('--help');
    expect(err.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
  });

  it('--root may be written with an equals sign', () => {
    expect(runCodegen([`--root=${project.root}`])).toMatchObject({ code: 0, err: '' });
    expect(project.exists(ORDER)).toBe(true);
  });

  it('--root has to name a project', () => {
    const { path, remove } = makeFolder('empty');
    const { code, err } = runCodegen(['--root', path]);
    remove();
    expect(code).toBe(2);
    expect(err).toBe(`there is no schemas/ in ${path}; name the project's folder with --root\n`);
  });

  it('a schemas/ without a contract is told of', () => {
    project.delete('schemas/contract.json');
    const { code, err } = project.run();
    expect(code).toBe(2);
    expect(err).toMatch(/^schemas\/contract\.json:1:1: .*\[FILE_MISSING\]/);
  });
});

describe('a report in a pipe', () => {
  it('has no colours', () => {
    const written = runCodegen(['--root', project.root], { NO_COLOR: undefined });
    project.edit(ORDER, () => '');
    const checked = runCodegen(['--check', '--root', project.root], { NO_COLOR: undefined });
    // eslint-disable-next-line no-control-regex -- the escape that begins a colour is what is looked for
    expect(written.out + checked.err).not.toMatch(/\u001b/);
  });
});

describe('what the file system refuses', () => {
  it('is said in one line, with code 2', () => {
    project.run();
    project.delete('docs');
    project.write('docs', 'a file where a folder should be');
    const { code, err } = project.run();
    expect(code).toBe(2);
    expect(err).toContain(join(project.root, 'docs'));
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });
});
