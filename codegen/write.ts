/** Write and check: rendered files against those on disk. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { listFiles } from './read.ts';

/** How one generated file differs from what is on disk. */
export interface Change {
  readonly kind: 'missing' | 'stale' | 'foreign' | 'outside' | 'orphaned' | 'edited-orphan';
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
 * Compares rendered files with the disk: what is missing, what is stale, what stands in the way although
 * no run wrote it (`foreign`), what a link leads out of the project (`outside`), what an earlier run wrote
 * and this one does not (`edited-orphan` when a person has changed it since: it is never removed), and
 * what nobody wrote into a folder that holds generated files only.
 */
export function compareFiles(root: string, files: ReadonlyMap<string, string>): readonly Change[] {
  const manifest = readManifest(root);
  const before = manifest ?? new Map<string, string>();
  const isInProject = createFence(root);
  const changes = [...files].flatMap(([path, text]): readonly Change[] => {
    if (!isInProject(path)) return [{ kind: 'outside', path }];
    const mayReplace = manifest === undefined || before.has(path) || isShared(path);
    return compareFile(root, path, text, mayReplace);
  });
  const owned = ownedFolders(files).flatMap((folder) => listFiles(root, folder));
  const orphans = new Set(
    [...before.keys(), ...owned].filter((path) => !files.has(path) && !isOthers(path)),
  );
  for (const path of [...orphans].sort()) {
    if (!existsSync(join(root, path))) continue;
    const written = isInProject(path) ? before.get(path) : undefined;
    const unchanged = written !== undefined && written === hash(readText(join(root, path)));
    changes.push({ kind: unchanged ? 'orphaned' : 'edited-orphan', path });
  }
  return changes;
}

/** Whether a change forbids all others: something would be lost, or written somewhere else. */
export function isObstacle({ kind }: Change): boolean {
  return kind === 'foreign' || kind === 'outside';
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

function compareFile(
  root: string,
  path: string,
  text: string,
  mayReplace: boolean,
): readonly Change[] {
  const file = join(root, path);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return [{ kind: 'missing', path }];
  if (!stat.isFile()) return [{ kind: 'foreign', path }];
  const found = readText(file);
  if (found === text) return [];
  return [{ kind: mayReplace ? 'stale' : 'foreign', path, ...firstDifference(found, text) }];
}

/** Tells whether a file's folder is in the project once all links are followed. */
function createFence(root: string): (path: string) => boolean {
  const home = realpathSync.native(root);
  const known = new Map<string, boolean>();
  const isInside = (folder: string): boolean => {
    if (!existsSync(join(root, folder))) return folder === '.' || check(posix.dirname(folder));
    const way = relative(home, realpathSync.native(join(root, folder)));
    return way !== '..' && !way.startsWith(`..${sep}`);
  };
  const check = (folder: string): boolean => {
    const answer = known.get(folder) ?? isInside(folder);
    known.set(folder, answer);
    return answer;
  };
  return (path) => check(posix.dirname(path));
}

/**
 * What no list names and is replaced all the same: the list itself; and the package's manifest, whose
 * version releases own, and which a workspace needs before there is anything to generate.
 */
function isShared(path: string): boolean {
  return path === MANIFEST_PATH || path === 'generated/package.json';
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

/** Undefined when there is one that cannot be read: a merge may leave it so. */
function readManifest(root: string): ReadonlyMap<string, string> | undefined {
  const file = join(root, MANIFEST_PATH);
  if (!existsSync(file)) return new Map();
  try {
    const text = readFileSync(file, 'utf8');
    const { files } = JSON.parse(text) as { files?: Record<string, string> };
    return new Map(Object.entries(files ?? {}).filter(([path]) => isInside(path)));
  } catch {
    return undefined;
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
