/** The skills of a directory. Files are looked at when somebody asks, and read again only when they changed. */
import type { Dirent } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Logger } from '../log.ts';
import { listDirectory, MAX_ENTRIES } from './directory.ts';
import type {
  ResourceKind,
  Skill,
  SkillCatalog,
  SkillFault,
  SkillReport,
  SkillResource,
  SkillSummary,
  SkippedSkill,
} from './port.ts';
import type { PathFault } from './read-text.ts';
import { explainPathError, findFile, readText, resolveInside } from './read-text.ts';
import { listResources, loadResource } from './resources.ts';
import { nameSome, quote } from './wording.ts';

/** What a catalog needs. */
export interface SkillCatalogOptions {
  /** A directory with a directory for each skill; without one there are no skills. */
  readonly directory: string | undefined;
  readonly log: Logger;
  /** Milliseconds since 1970, by the clock that files are stamped with. */
  readonly now?: () => number;
}

/** How many KiB a `SKILL.md` may have. */
const MAX_KIB = 256;

/** For how many milliseconds a file may change again without another stamp, as coarse as clocks of disks are. */
const SAME_STAMP_MS = 2000;

/** Opens a directory of skills. Reads nothing until it is asked; what is skipped is logged when that is found. */
export function createSkillCatalog(options: SkillCatalogOptions): SkillCatalog {
  return new DirectoryCatalog(options);
}

type Loaded = Skill & { readonly directory: string };
type Outcome = Loaded | SkippedSkill;

interface Known {
  readonly outcome: Outcome;
  /** Of the file as it was read. */
  readonly stamp: string;
  /** The stamp would be another if the file had changed since. */
  readonly settled: boolean;
}

interface View {
  readonly loaded: readonly Loaded[];
  readonly skipped: readonly SkippedSkill[];
}

interface Scan {
  /** The real path of the directory. */
  readonly root: string;
  readonly entries: readonly Dirent[];
  /** What of the directory itself is wrong. */
  readonly skipped: readonly SkippedSkill[];
}

class DirectoryCatalog implements SkillCatalog {
  readonly #directory: string | undefined;
  readonly #log: Logger;
  readonly #now: () => number;
  /** By the names of their directories. */
  readonly #known = new Map<string, Known>();
  /** What is wrong with the directory of all. */
  #complaint: string | undefined;
  #running: Promise<View> | undefined;
  #next: Promise<View> | undefined;

  constructor({ directory, log, now = Date.now }: SkillCatalogOptions) {
    this.#directory = directory === undefined ? undefined : resolve(directory);
    this.#log = log;
    this.#now = now;
  }

  async list(): Promise<readonly SkillSummary[]> {
    const { loaded } = await this.#look();
    return loaded.map(({ name, description }) => ({ name, description }));
  }

  async load(name: string): Promise<Skill | SkillFault> {
    const found = await this.#find(name);
    if ('code' in found) return found;
    const { description, body } = found;
    return { name, description, body };
  }

  async listResources(name: string): Promise<readonly SkillResource[] | SkillFault> {
    const found = await this.#find(name);
    return 'code' in found ? found : listResources(found);
  }

  async loadResource(
    name: string,
    kind: ResourceKind,
    resource: string,
  ): Promise<string | SkillFault> {
    const found = await this.#find(name);
    return 'code' in found ? found : loadResource(found, kind, resource);
  }

  async report(): Promise<SkillReport> {
    const { loaded, skipped } = await this.#look();
    return { loaded: loaded.map(({ name }) => name), skipped };
  }

  /** All skills as they are now. One look at a time: who asks meanwhile shares the next, so that none is out of date. */
  #look(): Promise<View> {
    if (this.#running === undefined) {
      this.#running = this.#lookAround().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    const again = () => {
      this.#next = undefined;
      return this.#look();
    };
    this.#next ??= this.#running.then(again, again);
    return this.#next;
  }

  async #lookAround(): Promise<View> {
    const { root, entries, skipped } = await this.#scan();
    const outcomes: Outcome[] = [];
    for (const { name } of entries) {
      const outcome = await this.#refresh(root, name);
      if (outcome !== undefined) outcomes.push(outcome);
    }
    return {
      loaded: outcomes.filter((outcome) => 'body' in outcome),
      skipped: [...skipped, ...outcomes.filter((outcome) => 'reason' in outcome)],
    };
  }

  /** One skill as it is now. A name becomes part of a path only when the directory has, or had, an entry of that name. */
  async #find(name: string): Promise<Loaded | SkillFault> {
    const unchanged = await this.#findUnchanged(name);
    if (unchanged !== undefined) return unchanged;
    const { root, entries } = await this.#scan();
    const isThere = entries.some((entry) => entry.name === name);
    const outcome = isThere ? await this.#refresh(root, name) : undefined;
    if (outcome === undefined) return this.#refuse(name);
    if ('body' in outcome) return outcome;
    const message = `the skill ${quote(name)} cannot be loaded: what is in its directory is no valid skill`;
    return { code: 'skill.invalid', message };
  }

  /** One that was read before and is the same file still: a third of what it takes to go through the directory. */
  async #findUnchanged(name: string): Promise<Loaded | undefined> {
    const known = this.#known.get(name);
    if (this.#directory === undefined || known?.settled !== true || !('body' in known.outcome)) {
      return undefined;
    }
    const path = join(this.#directory, name, 'SKILL.md');
    // The stamp says where the file really is: another directory in the place of the old one has another.
    const file = await findFile(known.outcome.directory, path);
    return 'stamp' in file && file.stamp === known.stamp ? known.outcome : undefined;
  }

  async #refuse(name: string): Promise<SkillFault> {
    const names = (await this.#look()).loaded.map((skill) => skill.name);
    const offer = names.length === 0 ? 'there are no skills at all' : `there is ${nameSome(names)}`;
    return { code: 'skill.unknown', message: `there is no skill ${quote(name)}; ${offer}` };
  }

  async #scan(): Promise<Scan> {
    const directory = this.#directory;
    if (directory === undefined) return { root: '', entries: [], skipped: [] };
    try {
      const root = await realpath(directory);
      const { entries, truncated } = await listDirectory(root);
      const candidates = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
      this.#forgetOthers(candidates);
      const reason = truncated
        ? `it has more than ${MAX_ENTRIES} entries; the rest was not looked at`
        : undefined;
      return { root, entries: candidates, skipped: this.#complain(directory, reason) };
    } catch (error) {
      const { what, advice } = explainPathError(error);
      const skipped = this.#complain(directory, `it ${what}; ${advice}`);
      return { root: '', entries: [], skipped };
    }
  }

  #complain(directory: string, reason: string | undefined): readonly SkippedSkill[] {
    const isNew = reason !== this.#complaint;
    this.#complaint = reason;
    if (reason === undefined) return [];
    if (isNew) this.#log.warn({ directory, reason }, 'skills are skipped');
    return [{ directory, reason }];
  }

  #forgetOthers(entries: readonly Dirent[]): void {
    const names = new Set(entries.map(({ name }) => name));
    for (const name of this.#known.keys()) if (!names.has(name)) this.#known.delete(name);
  }

  /** What an entry of the directory is now; undefined when it is no directory. */
  async #refresh(root: string, name: string): Promise<Outcome | undefined> {
    const directory = await resolveInside(root, join(root, name));
    if (typeof directory !== 'string') return this.#skip(name, name, directory);
    const file = await findFile(directory, join(directory, 'SKILL.md'));
    if ('code' in file) {
      return file.isNoDirectory === true ? undefined : this.#skip(name, `${name}/SKILL.md`, file);
    }
    const known = this.#known.get(name);
    if (known?.stamp === file.stamp && known.settled) return known.outcome;
    const settled = this.#now() - file.changedAt > SAME_STAMP_MS;
    const text = await readText(file, MAX_KIB);
    if (typeof text !== 'string') return this.#skip(name, `${name}/SKILL.md`, text);
    const { readSkill } = await import('./skill-file.ts');
    const reading = readSkill(text, name);
    const outcome =
      'reason' in reading ? { directory: name, reason: reading.reason } : { ...reading, directory };
    return this.#keep(name, { outcome, stamp: file.stamp, settled });
  }

  #skip(name: string, path: string, { what, advice }: PathFault): Outcome {
    const outcome = { directory: name, reason: `${path} ${what}; ${advice}` };
    return this.#keep(name, { outcome, stamp: '', settled: false });
  }

  /** Remembers what a directory holds, and tells the log when it is something else than before. */
  #keep(name: string, known: Known): Outcome {
    const { outcome } = known;
    const before = this.#known.get(name)?.outcome;
    this.#known.set(name, known);
    if ('reason' in outcome) {
      const isNew =
        before === undefined || !('reason' in before) || before.reason !== outcome.reason;
      if (isNew) this.#log.warn(outcome, 'a skill is skipped');
    } else if (before === undefined || !('body' in before) || !isSame(before, outcome)) {
      this.#log.info({ skill: name }, 'a skill was read');
    }
    return outcome;
  }
}

function isSame(a: Loaded, b: Loaded): boolean {
  return a.body === b.body && a.description === b.description;
}
