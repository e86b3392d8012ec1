/** Placement: every JSON file under `schemas/` stands where something reads it, in folders with fit names. */
import { posix } from 'node:path';
import type { Diagnostic } from './diagnostics.ts';
import { diagnose } from './diagnostics.ts';
import { isObject } from './json.ts';
import { nearestName } from './names.ts';
import type { listModules } from './schema-sets.ts';
import type { SourceFile } from './source.ts';

const READ = [
  /^schemas\/(contract|agent-card)\.json$/,
  /^schemas\/(tools|meta)\/[^/]+\.json$/,
  /^schemas\/extensions\/[^/]+\/[^/]+\/.+\.json$/,
];

/** FILE_MISPLACED: files under `schemas/` that nothing would read, each with the place it belongs in. */
export function findMisplaced(
  sources: readonly SourceFile[],
  modules: ReturnType<typeof listModules>,
): readonly Diagnostic[] {
  const paths = new Set(sources.map(({ path }) => path));
  return sources.flatMap((source) => {
    const { path } = source;
    if (!path.startsWith('schemas/') || READ.some((pattern) => pattern.test(path))) return [];
    if (modules.paths.has(path)) return [];
    const message = `nothing reads ${path}: it stands where no file of a contract has its place`;
    const [, owner = ''] = path.split('/');
    if (modules.names.has(owner)) {
      const hint = `List it in "schemas" of the module "${owner}", in schemas/contract.json.`;
      return [diagnose('FILE_MISPLACED', source, '', message, { hint })];
    }
    const place = placeFor(source, paths);
    const hint = paths.has(place)
      ? `Its place would be ${place}, which is there already: remove one of the two.`
      : `Move it to ${place}.`;
    return [diagnose('FILE_MISPLACED', source, '', message, { hint })];
  });
}

function placeFor(source: SourceFile, taken: ReadonlySet<string>): string {
  const [, ...steps] = source.path.split('/');
  const file = steps.at(-1) ?? '';
  const [folder = ''] = steps;
  if (steps.length === 1) {
    const near = nearestName(file, ['contract.json', 'agent-card.json']);
    if (near !== undefined && !taken.has(`schemas/${near}`)) return `schemas/${near}`;
  }
  const known = steps.length === 1 ? undefined : (ALIASES.get(folder) ?? nearestFolder(folder));
  if (known === 'meta') return `schemas/meta/${file}`;
  if (known === 'tools' || (known === undefined && isTool(source))) return `schemas/tools/${file}`;
  return placeInExtension(known === undefined ? steps : steps.slice(1), source, taken);
}

const ALIASES: ReadonlyMap<string, string> = new Map([['ext', 'extensions']]);

function nearestFolder(name: string): string | undefined {
  return nearestName(name, ['extensions', 'tools', 'meta']);
}

/** The place for a file below `schemas/extensions/`, with the extension and the version it lacks. */
function placeInExtension(
  steps: readonly string[],
  source: SourceFile,
  taken: ReadonlySet<string>,
): string {
  const stem = posix.basename(source.path).replace(/(\.schema)?\.json$/, '');
  const isOwner = isManifest(source);
  const file = isOwner ? 'extension.json' : posix.basename(source.path);
  if (steps.length > 2) return posix.join('schemas/extensions', ...steps);
  const name = steps.length === 2 ? (steps[0] ?? '') : stem === 'extension' ? '<name>' : stem;
  const folder = `schemas/extensions/${name}`;
  const versions = [...taken].flatMap((path) => {
    const [, version, rest] = path.startsWith(`${folder}/`) ? path.slice(19).split('/') : [];
    return version === undefined || rest === undefined ? [] : [version];
  });
  const free = [...versions, 'v1'].find((version) => !taken.has(`${folder}/${version}/${file}`));
  return `${folder}/${free ?? versions.at(-1) ?? 'v1'}/${file}`;
}

function isTool({ json: { value } }: SourceFile): boolean {
  return isObject(value) && Object.hasOwn(value, 'input_schema');
}

function isManifest({ path, json: { value } }: SourceFile): boolean {
  if (posix.basename(path) === 'extension.json') return true;
  return isObject(value) && ['uri', 'activation'].every((name) => Object.hasOwn(value, name));
}

const FOLDERS = [
  { kind: 'extension', pattern: /^[a-z0-9][a-z0-9-]*$/, words: 'an extension, such as "task"' },
  {
    kind: 'version',
    pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    words: 'a version, such as "v1" or "v0.9.1"',
  },
] as const;

/** FOLDER_NAME: the folders of extensions and versions can stand in import paths and URLs as they are. */
export function checkFolderNames(sources: readonly SourceFile[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return sources.flatMap((source) => {
    const steps = /^schemas\/extensions\/([^/]+)\/([^/]+)\//.exec(source.path)?.slice(1) ?? [];
    return steps.flatMap((name, index) => {
      const folder = posix.join('schemas/extensions', ...steps.slice(0, index + 1));
      const rule = FOLDERS[index];
      if (rule === undefined || rule.pattern.test(name) || seen.has(folder)) return [];
      seen.add(folder);
      const message = `the folder ${folder} cannot name ${rule.words}: it must match the pattern ${rule.pattern.source}`;
      const fit = fitName(name, rule);
      const hint = `Its name stands in import paths and URLs. ${fit === undefined ? 'Give it another.' : `Call it "${fit}".`}`;
      return [diagnose('FOLDER_NAME', source, '', message, { hint })];
    });
  });
}

/** The name as it could be written; undefined when nothing of it is left. */
function fitName(name: string, { kind, pattern }: (typeof FOLDERS)[number]): string | undefined {
  const words = kind === 'extension' ? name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-') : name;
  const cased = kind === 'extension' ? words.toLowerCase() : words;
  const odd = kind === 'extension' ? /[^a-z0-9]+/g : /[^A-Za-z0-9._]+/g;
  const fit = cased.replaceAll(odd, '-').replaceAll(/^[-._]+|[-._]+$/g, '');
  return pattern.test(fit) ? fit : undefined;
}
