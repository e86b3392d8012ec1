/** The files that come with a skill: those right in its folders, one level deep. */
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { LOAD_SKILL_RESOURCE_ARGUMENTS_KIND_VALUES } from '@tiny-harness/contract/tools/load-skill-resource';
import { listDirectory } from './directory.ts';
import type { ResourceKind, SkillFault, SkillResource } from './port.ts';
import type { PathFault } from './read-text.ts';
import { explainPathError, findFile, readText, resolveInside } from './read-text.ts';
import { nameSome, quote } from './wording.ts';

/** How many KiB of a file are read into a context. */
const MAX_KIB = 1024;

const KINDS: readonly ResourceKind[] = LOAD_SKILL_RESOURCE_ARGUMENTS_KIND_VALUES;

/** A skill and where it is. */
export interface Home {
  readonly name: string;
  /** Its directory, as a real path. */
  readonly directory: string;
}

/** The files of a skill, by kind and then by name: plain ones, and links to such that stay in its directory. */
export async function listResources({ directory }: Home): Promise<readonly SkillResource[]> {
  const found: SkillResource[] = [];
  for (const kind of KINDS) {
    const folder = await openFolder(directory, kind);
    if ('code' in folder) continue;
    for (const entry of folder.entries) {
      if (await isPlain(directory, join(folder.path, entry.name), entry)) {
        found.push({ kind, name: entry.name });
      }
    }
  }
  return found;
}

/** The text of one file of a skill. Its name is looked up among the names that are there before it becomes a path. */
export async function loadResource(
  home: Home,
  kind: ResourceKind,
  resource: string,
): Promise<string | SkillFault> {
  if (!KINDS.includes(kind)) return refuseUnknown(home, kind, resource);
  const folder = await openFolder(home.directory, kind);
  if ('code' in folder) {
    if (folder.missing === true) return refuseUnknown(home, kind, resource);
    return refuse(`${kind}/`, home, folder);
  }
  if (!folder.entries.some(({ name }) => name === resource)) {
    return refuseUnknown(home, kind, resource);
  }
  const file = await findFile(home.directory, join(folder.path, resource));
  const text = 'code' in file ? file : await readText(file, MAX_KIB);
  return typeof text === 'string' ? text : refuse(`${kind}/${resource}`, home, text);
}

interface Folder {
  readonly path: string;
  readonly entries: readonly Dirent[];
}

async function openFolder(directory: string, kind: ResourceKind): Promise<Folder | PathFault> {
  const path = await resolveInside(directory, join(directory, kind));
  if (typeof path !== 'string') return path;
  try {
    return { path, entries: (await listDirectory(path)).entries };
  } catch (error) {
    return explainPathError(error);
  }
}

async function isPlain(directory: string, path: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  return !('code' in (await findFile(directory, path)));
}

function refuse(file: string, { name }: Home, { code, what }: PathFault): SkillFault {
  return { code, message: `${file} of the skill ${quote(name)} ${what}` };
}

async function refuseUnknown(home: Home, kind: string, resource: string): Promise<SkillFault> {
  const there = (await listResources(home)).map(({ kind: folder, name }) => `${folder}/${name}`);
  const offer = there.length === 0 ? 'it has no files' : `it has ${nameSome(there)}`;
  const message = `the skill ${quote(home.name)} has no file ${quote(`${kind}/${resource}`)}; ${offer}`;
  return { code: 'skill.unknown_resource', message };
}
