/** The only reading the pipeline does: a project's files, as bytes, before anything is decided. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** A project's input: file contents by path from the project's root, with forward slashes. */
export interface ProjectFiles {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Where those of them were found that are not in the project's own folders: absolute paths. */
  readonly outside: readonly string[];
}

const SCHEMAS = 'schemas';
const LICENSE = 'LICENSE';
const MANIFEST = /^schemas\/extensions\/[^/]+\/[^/]+\/extension\.json$/;

/**
 * Reads `schemas/`, the package schemas that manifests name, the licence that is published with the
 * package, and the generated package's own package.json (whose version releases own). Paths come
 * sorted, whatever the file system's order.
 */
export function readProject(root: string): ProjectFiles {
  const files = new Map<string, Uint8Array>();
  for (const path of listFiles(root, SCHEMAS)) files.set(path, readFileSync(join(root, path)));
  const manifests = [...files].filter(([path]) => MANIFEST.test(path));
  const wanted = new Set(manifests.flatMap(([, bytes]) => packagePaths(bytes)));
  const outside = [...wanted].flatMap((path) => readPackageFile(root, path, files) ?? []);
  readOptional(root, 'generated/package.json', files);
  if (readOptional(root, LICENSE, files)) outside.push(join(root, LICENSE));
  return { files, outside };
}

/** Lists all files below a folder, sorted; nothing when the folder does not exist. */
export function listFiles(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  const paths = entries.flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(root, path);
    return entry.isFile() ? [path] : [];
  });
  return paths.sort();
}

/** Where a package's file is kept among the project's files. */
export function packagePath(name: string, path: string): string {
  return posix.join('node_modules', name, path);
}

/** What a manifest asks for, read leniently: the load stage names what is wrong with it. */
function packagePaths(bytes: Uint8Array): readonly string[] {
  let manifest: unknown;
  try {
    manifest = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return [];
  }
  const { packages } = (manifest ?? {}) as { packages?: unknown };
  return Array.isArray(packages) ? packages.flatMap(pathsOfPackage) : [];
}

function pathsOfPackage(entry: unknown): readonly string[] {
  const { name, schemas } = (entry ?? {}) as { name?: unknown; schemas?: unknown };
  if (typeof name !== 'string' || typeof schemas !== 'object' || schemas === null) return [];
  const paths = Object.values(schemas).filter((path) => typeof path === 'string');
  return ['package.json', ...paths].map((path) => packagePath(name, path));
}

/** Looks where Node would: in the root's node_modules, then in those of the folders above. */
function readPackageFile(
  root: string,
  path: string,
  files: Map<string, Uint8Array>,
): string | undefined {
  if (!path.startsWith('node_modules/')) return undefined;
  for (let folder = root; ; folder = dirname(folder)) {
    if (readOptional(folder, path, files)) return join(folder, path);
    if (dirname(folder) === folder) return undefined;
  }
}

function readOptional(root: string, path: string, files: Map<string, Uint8Array>): boolean {
  const file = join(root, path);
  if (!existsSync(file)) return false;
  files.set(path, readFileSync(file));
  return true;
}
