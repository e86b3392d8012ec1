/** Watching: the project is rendered again after each change, whatever state the change leaves it in. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launcher } from '../support/command-line.ts';
import { repository } from '../support/projects.ts';
import type { ScratchProject } from '../support/scratch-project.ts';
import { copyProject } from '../support/scratch-project.ts';

const SCHEMA = 'schemas/extensions/order/v2/schema.json';
const ORDER = 'generated/extensions/order/v2/order.d.ts';

let project: ScratchProject;
let watcher: Watcher;
beforeEach(async () => {
  project = copyProject();
  watcher = new Watcher(project.root);
  await watcher.says('watching schemas/');
});
afterEach(async () => {
  await watcher.stop();
  project.remove();
});

/** The generator as it watches. */
class Watcher {
  private readonly process: ChildProcess;
  private text = '';

  constructor(root: string) {
    const environment = { ...process.env, GITHUB_ACTIONS: '', NO_COLOR: '1' };
    this.process = spawn(process.execPath, [launcher, '--watch', '--root', root], {
      cwd: repository,
      env: environment,
    });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.setEncoding('utf8').on('data', (part: string) => {
        this.text += part;
      });
    }
  }

  /** Waits until a text is said, and forgets what was said so far. */
  async says(words: string): Promise<string> {
    for (let waited = 0; !this.text.includes(words); waited += 20) {
      if (waited > 20_000 || this.process.exitCode !== null) {
        throw new Error(`${words} was not said, but:\n${this.text}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { text } = this;
    this.text = '';
    return text;
  }

  async stop(): Promise<number | null> {
    if (this.process.exitCode === null) {
      this.process.kill('SIGTERM');
      await once(this.process, 'exit');
    }
    return this.process.exitCode;
  }
}

const addMemo = (): void => {
  project.replace(
    SCHEMA,
    '    "total": {',
    '    "memo": { "description": "A memo.", "type": "string" },\n    "total": {',
  );
};

describe('watching', { timeout: 60_000 }, () => {
  it('writes at once, then after each change, and ends when it is told to', async () => {
    expect(project.exists(ORDER)).toBe(true);
    addMemo();
    expect(await watcher.says('changed (')).toContain(`~ ${ORDER}:`);
    expect(project.read(ORDER)).toContain('  memo?: string;');
    expect(await watcher.stop()).toBe(0);
  });

  it('tells of a broken schema, writes nothing, and goes on when it is mended', async () => {
    const before = project.read(ORDER);
    const whole = project.read(SCHEMA);
    project.write(SCHEMA, whole.slice(0, whole.length / 2));
    expect(await watcher.says('nothing was written')).toContain(`${SCHEMA}:`);
    project.write(SCHEMA, '');
    await watcher.says('nothing was written');
    expect(project.read(ORDER)).toBe(before);
    project.write(SCHEMA, whole);
    await watcher.says('up to date');
    addMemo();
    await watcher.says('changed (');
    expect(project.read(ORDER)).toContain('  memo?: string;');
  });

  it('follows folders that go and come', async () => {
    const files = [...project.tree()].filter(([path]) =>
      path.startsWith('schemas/extensions/order/v1/'),
    );
    project.delete('schemas/extensions/order/v1');
    expect(await watcher.says('changed (')).toContain('- generated/extensions/order/v1/index.js');
    for (const [path, text] of files) project.write(path, text);
    expect(await watcher.says('changed (')).toContain('+ generated/extensions/order/v1/index.js');
    // A change in a folder that was not there when watching began.
    const [path, text] = files.find(([name]) => name.endsWith('schema.json'))!;
    project.write(path, text.replace('The number that', 'The very number that'));
    expect(await watcher.says('changed (')).toContain(
      '~ generated/extensions/order/v1/order.d.ts:',
    );
  });

  it('survives that all schemas go and come', async () => {
    project.move('schemas', 'elsewhere');
    await watcher.says('[FILE_MISSING]');
    project.move('elsewhere', 'schemas');
    await watcher.says('up to date');
    addMemo();
    await watcher.says('changed (');
  });

  it('survives that the contract itself goes and comes', async () => {
    const contract = project.read('schemas/contract.json');
    project.delete('schemas/contract.json');
    await watcher.says('[FILE_MISSING]');
    project.write('schemas/contract.json', contract);
    await watcher.says('up to date');
  });
});
