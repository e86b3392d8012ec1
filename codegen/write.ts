/** Write and check: rendered files against those on disk. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { listFiles } from './read.ts';

/** How one generated file differs from what is on disk. */
export interface Change {
  readonly kind: 'missing' | 'stale' | 'orphaned' | 'edited-orphan';
  readonly path: string;
  /** The first line that differs, from 1, as it stands on disk and as it should be. */
  readonly line?: number;
  readonly found?: string;
  readonly expected?: string;
}

/** Where the list of generated files is kept. */
export const MANIFEST_PATH = 'generated/manifest.json';

/** The committed list of what the last run wrote: SHA-256 by path. */
export function renderManifest(files: ReadonlyMap<string, string>): string {
  const entries = [...files].map(([path, text]) => [path, hash(text)]);
  return `${JSON.stringify({ files: Object.fromEntries(entries) as unknown }, null, 2)}\n`;
}

/**
 * Compares rendered files with the disk: what is missing, what is stale, what an earlier run wrote and
 * this one does not (`edited-orphan` when a person has changed it since: it is never removed), and
 * what nobody wrote into a folder that holds generated files only.
 */
export function compareFiles(root: string, files: ReadonlyMap<string, string>): readonly Change[] {
  const changes = [...files].flatMap(([path, text]) => compareFile(root, path, text));
  const before = readManifest(root);
  const owned = ownedFolders(files).flatMap((folder) => listFiles(root, folder));
  const orphans = new Set(
    [...before.keys(), ...owned].filter((path) => !files.has(path) && !isOthers(path)),
  );
  for (const path of [...orphans].sort()) {
    if (!existsSync(join(root, path))) continue;
    const written = before.get(path);
    const unchanged = written !== undefined && written === hash(readText(join(root, path)));
    changes.push({ kind: unchanged ? 'orphaned' : 'edited-orphan', path });
  }
  return changes;
}

/** Writes what changed, each file whole or not at all, and removes orphans nobody has edited. */
export function applyChanges(
  root: string,
  files: ReadonlyMap<string, string>,
  changes: readonly Change[],
): void {
  // Orphans first: the list of files still names them if this is cut short.
  for (const { kind, path } of changes) if (kind === 'orphaned') removeFile(root, path);
  for (const { path } of changes) {
    const text = files.get(path);
    if (text !== undefined) writeFile(join(root, path), text);
  }
}

function compareFile(root: string, path: string, text: string): readonly Change[] {
  const file = join(root, path);
  if (!existsSync(file)) return [{ kind: 'missing', path }];
  const found = readText(file);
  return found === text ? [] : [{ kind: 'stale', path, ...firstDifference(found, text) }];
}

/** A checkout with CRLF line ends holds the same text. */
function readText(file: string): string {
  return readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
}

function firstDifference(
  found: string,
  expected: string,
): { line: number; found: string; expected: string } {
  const before = found.split('\n');
  const after = expected.split('\n');
  let index = 0;
  while (index < before.length && before[index] === after[index]) index++;
  return { line: index + 1, found: before[index] ?? '', expected: after[index] ?? '' };
}

/** Folders in which everything is generated: the package, and the pages beside hand-written guides. */
function ownedFolders(files: ReadonlyMap<string, string>): readonly string[] {
  const pages = [...files.keys()].filter((path) => path.startsWith('docs/'));
  return ['generated', ...new Set(pages.map((path) => path.split('/').slice(0, 2).join('/')))];
}

/** What releases and npm put beside the generated package. */
function isOthers(path: string): boolean {
  return path === 'generated/CHANGELOG.md' || path.startsWith('generated/node_modules/');
}

function readManifest(root: string): ReadonlyMap<string, string> {
  try {
    const text = readFileSync(join(root, MANIFEST_PATH), 'utf8');
    const { files } = JSON.parse(text) as { files?: Record<string, string> };
    return new Map(Object.entries(files ?? {}).filter(([path]) => isInside(path)));
  } catch {
    return new Map();
  }
}

/** A manifest is input like any other: it never makes this remove a file elsewhere. */
function isInside(path: string): boolean {
  const clean = posix.normalize(path) === path;
  return clean && (path.startsWith('generated/') || path.startsWith('docs/'));
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function writeFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const part = `${file}.${String(process.pid)}.part`;
  writeFileSync(part, text);
  renameSync(part, file);
}

function removeFile(root: string, path: string): void {
  rmSync(join(root, path), { force: true });
  for (let folder = posix.dirname(path); folder.includes('/'); folder = posix.dirname(folder)) {
    try {
      rmdirSync(join(root, folder));
    } catch {
      return;
    }
  }
}
