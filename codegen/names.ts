/** Names: from what schemas call things to what TypeScript may call them. */
import type { Json } from './json.ts';
import { getOwn, isObject } from './json.ts';

const RESERVED = new Set(
  (
    'any as async await bigint boolean break case catch class const continue debugger default delete do else ' +
    'enum export extends false finally for from function get if implements import in infer instanceof ' +
    'interface is keyof let module namespace never new null number object of package private protected ' +
    'public readonly require return satisfies set static string super switch symbol this throw true try ' +
    'type typeof undefined unique unknown using var void while with yield'
  ).split(' '),
);

/** Whether a text can be written as an identifier or an unquoted property name. */
export function isIdentifier(text: string): boolean {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$\u200c\u200d]*$/u.test(text);
}

/** A type name: PascalCase, letters of any script kept, never a reserved word. */
export function toTypeName(text: string): string {
  const words = text.split(/[^\p{ID_Continue}$]+/u).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  if (name === '') return 'Schema';
  return isIdentifier(name) && !RESERVED.has(name) ? name : `Schema${name}`;
}

/**
 * The type name of a schema document: its title, else what its file is called; `schema.json` is called
 * what its extension is.
 */
export function documentTypeName(document: {
  readonly root: Json;
  readonly file: { readonly path: string };
}): string {
  const title = isObject(document.root) ? getOwn(document.root, 'title') : undefined;
  if (typeof title === 'string' && title !== '') return toTypeName(title);
  const steps = document.file.path.split('/');
  const stem = (steps.at(-1) ?? '').replace(/(\.schema)?\.json$/, '');
  const [folder, kind, extension] = steps;
  const isRoot = stem === 'schema' && folder === 'schemas' && kind === 'extensions';
  return toTypeName(isRoot ? (extension ?? stem) : stem);
}

/** A value name: camelCase. */
export function toValueName(text: string): string {
  const name = toTypeName(text);
  const camel = name.charAt(0).toLowerCase() + name.slice(1);
  return RESERVED.has(camel) ? `${camel}_` : camel;
}

/** A constant's name: UPPER_SNAKE_CASE. */
export function toConstantName(text: string): string {
  return toTypeName(text)
    .replace(/(\p{Ll}|\p{Nd})(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toUpperCase();
}

/** The candidate closest to a text, when it is close enough to be meant. */
export function nearestName(text: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let distance = Math.min(3, Math.floor(text.length / 3)) + 1;
  for (const candidate of candidates) {
    const next = editDistance(text, candidate, distance);
    if (next < distance) {
      best = candidate;
      distance = next;
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours between two texts, up to a limit. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + cost,
      );
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) value = Math.min(value, (before[j - 2] ?? 0) + 1);
      current.push(value);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? limit;
}
