/** Schema sets: schemas of no extension and no tool, as `modules` in `contract.json` lists them. */
import { posix } from 'node:path';
import type { Diagnostic } from './diagnostics.ts';
import { diagnose } from './diagnostics.ts';
import type { Json } from './json.ts';
import { getOwn, isArray, isObject, joinPointer } from './json.ts';
import type { ContractConfig } from './manifest.ts';
import { nearestName } from './names.ts';
import type { SourceFile } from './source.ts';

/** A set of schemas that becomes a folder of modules under a name of its own. */
export interface SchemaSet {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** In the order in which they are listed. */
  readonly files: readonly SourceFile[];
}

/** All sets of a project, and what is wrong with the list. */
export interface LoadedSets {
  readonly sets: readonly SchemaSet[];
  readonly diagnostics: readonly Diagnostic[];
}

type Sources = ReadonlyMap<string, SourceFile>;

/** Finds the files of every set. Names are unique, also among those of extensions (CONTRACT_SHAPE). */
export function loadSets(
  configFile: SourceFile,
  { modules = [] }: ContractConfig,
  sources: Sources,
): LoadedSets {
  const diagnostics: Diagnostic[] = [];
  const owners = new Map<string, string>();
  const sets = modules.map(({ schemas, ...about }, index) => {
    const pointer = joinPointer('/modules', index);
    const clash = findClash(about.name, [...modules.slice(0, index)], sources);
    if (clash !== undefined) {
      const message = `the module "${about.name}" has the name of ${clash}`;
      const place = joinPointer(pointer, 'name');
      diagnostics.push(diagnose('CONTRACT_SHAPE', configFile, place, message, { hint: RENAME }));
    }
    const files = schemas.flatMap((path, position) => {
      const file = sources.get(`schemas/${path}`);
      const report = checkListed(about.name, path, sources, owners);
      owners.set(path, owners.get(path) ?? about.name);
      if (report !== undefined) {
        const { rule, message, hint } = report;
        const place = joinPointer(pointer, 'schemas', position);
        diagnostics.push(diagnose(rule, configFile, place, message, { hint }));
      }
      return file ?? [];
    });
    return { ...about, files };
  });
  return { sets, diagnostics };
}

/**
 * The schemas that a `contract.json` lists, from the project's root, and the folders of its modules;
 * read leniently, since CONTRACT_SHAPE says what is wrong with the list.
 */
export function listModules(config: Json | undefined): {
  readonly paths: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
} {
  const list = isObject(config) ? getOwn(config, 'modules') : undefined;
  const modules = (isArray(list) ? list : []).filter(isObject);
  const paths = modules.flatMap((module) => {
    const schemas = getOwn(module, 'schemas');
    return (isArray(schemas) ? schemas : []).filter((path) => typeof path === 'string');
  });
  const names = modules.map((module) => getOwn(module, 'name'));
  return {
    paths: new Set(paths.map((path) => `schemas/${path}`)),
    names: new Set(names.filter((name) => typeof name === 'string')),
  };
}

/** What has a module's name already. */
function findClash(
  name: string,
  before: readonly { readonly name: string }[],
  sources: Sources,
): string | undefined {
  if (before.some((other) => other.name === name)) return 'another module before it';
  const folder = `schemas/extensions/${name}/`;
  return [...sources.keys()].some((path) => path.startsWith(folder))
    ? `the extension in ${folder.slice(0, -1)}`
    : undefined;
}

interface Report {
  readonly rule: string;
  readonly message: string;
  readonly hint: string;
}

function checkListed(
  name: string,
  path: string,
  sources: Sources,
  owners: ReadonlyMap<string, string>,
): Report | undefined {
  const folder = posix.dirname(path);
  const file = posix.basename(path);
  if (folder !== name && folder !== 'meta') {
    const message = `the schemas of the module "${name}" stand in schemas/${name} or schemas/meta; got ${path}`;
    return { rule: 'CONTRACT_SHAPE', message, hint: `Move the file to schemas/${name}/${file}.` };
  }
  const owner = owners.get(path);
  if (owner !== undefined) {
    const message = `schemas/${path} is a schema of the module "${owner}" already`;
    return { rule: 'CONTRACT_SHAPE', message, hint: 'Leave it out of one of the two.' };
  }
  if (sources.has(`schemas/${path}`)) return undefined;
  const known = [...sources.keys()].map((each) => each.slice('schemas/'.length));
  const near = nearestName(path, known);
  const hint =
    near === undefined ? 'Add it, or leave it out of the list.' : `Did you mean ${near}?`;
  return { rule: 'FILE_MISSING', message: `there is no schemas/${path}`, hint };
}

const RENAME = 'Its name stands in import paths: give it another.';
