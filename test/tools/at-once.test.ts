import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ToolResult } from '../../src/core/task.ts';
import { startStage } from './stage.ts';

describe('calls that are made at once', () => {
  it('are decided in their order, however long each of them reads', async () => {
    const stage = await startStage({ skills: createSkills('greet') });
    let results: readonly ToolResult[] = [];
    stage.on('go', async (turn) => {
      // The first reads a file, the others nothing.
      const names = ['load_skill', 'unload_skill', 'load_skill', 'unload_skill'];
      results = await Promise.all(
        names.map((name, index) =>
          turn.call({ id: String(index), name, input: { name: 'greet' } }),
        ),
      );
      return undefined;
    });
    await stage.say('go');
    expect(results.map(({ text }) => text)).toEqual([
      'Say hello.',
      '"greet" is unloaded.',
      'Say hello.',
      '"greet" is unloaded.',
    ]);
  });
});

/** A directory with one skill; gone when the test ends. */
function createSkills(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'tiny-harness-skills-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true });
  });
  mkdirSync(join(directory, name));
  const text = `---\nname: ${name}\ndescription: Greets.\n---\nSay hello.`;
  writeFileSync(join(directory, name, 'SKILL.md'), text);
  return directory;
}
