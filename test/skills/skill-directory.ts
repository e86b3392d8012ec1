/** Directories of skills for tests, and catalogs over them whose log can be read. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSkillCatalog } from '../../src/skills/catalog.ts';
import type { SkillCatalog } from '../../src/skills/port.ts';

/** A directory that is removed when the test has finished, with files by their paths in it. */
export function makeDirectory(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'skills-'));
  onTestFinished(() => {
    rmSync(root, { recursive: true, force: true });
  });
  for (const [path, content] of Object.entries(files)) writeInto(root, path, content);
  return root;
}

/** Writes a file in a directory, and the directories it is in. */
export function writeInto(root: string, path: string, content: string | Uint8Array): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Makes a pipe that nobody writes to: whoever opens it as a file waits for ever. */
export function makePipe(path: string): void {
  execFileSync('/usr/bin/env', ['mkfifo', path]);
}

/** The text of a valid `SKILL.md`. */
export function skillText(name: string, body = `How to ${name}.`): string {
  return `---\nname: ${name}\ndescription: For ${name}.\n---\n${body}\n`;
}

/** A line of the log. */
export interface Line {
  readonly level: 'error' | 'warn' | 'info' | 'debug';
  readonly details: object;
  readonly message: string;
}

/** A catalog over a directory, and what it logs. */
export function openCatalog(
  directory: string | undefined,
  now?: () => number,
): { catalog: SkillCatalog; lines: Line[] } {
  const lines: Line[] = [];
  const at = (level: Line['level']) => (details: object, message: string) => {
    lines.push({ level, details, message });
  };
  const log = { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
  const clock = now === undefined ? {} : { now };
  return { catalog: createSkillCatalog({ directory, log, ...clock }), lines };
}
