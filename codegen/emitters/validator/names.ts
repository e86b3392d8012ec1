/**
 * Names in the emitted code: no variable hides a function, a constant or a global that is used in its place.
 */
import { toValueName } from '../../names.ts';

/** Names stay readable up to this length; what is cut off makes them no less unique. */
const MAX_LENGTH = 60;

/** What the code uses beside its own, and what strict code may not declare. */
const GLOBALS = [
  'Array',
  'Number',
  'Object',
  'RangeError',
  'Set',
  'arguments',
  'eval',
  'undefined',
];

/** The names of a module, a function or a block; each sees those around it. */
export class Scope {
  private readonly outer: Scope | undefined;
  private readonly taken: Set<string>;
  private readonly inner = new Set<string>();

  private constructor(taken: readonly string[], outer?: Scope) {
    this.taken = new Set(taken);
    this.outer = outer;
  }

  /** The scope of a module that has some names. */
  static ofModule(...taken: readonly string[]): Scope {
    return new Scope([...GLOBALS, ...taken]);
  }

  /** A scope within this one, where some names are taken already. */
  nest(...taken: readonly string[]): Scope {
    return new Scope(taken, this);
  }

  /** A new name that is like `stem`. */
  take(stem: string): string {
    let name = stem;
    for (let count = 2; this.sees(name) || this.inner.has(name); count += 1)
      name = `${stem}${String(count)}`;
    this.taken.add(name);
    for (let scope = this.outer; scope !== undefined; scope = scope.outer) scope.inner.add(name);
    return name;
  }

  /** A new name for what a property holds, whatever the property is called. */
  takeFor(property: string): string {
    return this.take(toValueName(property.slice(0, MAX_LENGTH)));
  }

  private sees(name: string): boolean {
    return this.taken.has(name) || this.outer?.sees(name) === true;
  }
}

/** `stem` with further words, each with a capital. */
export function extendStem(stem: string, words: string): string {
  const upper = words
    .split(/[^A-Za-z0-9_$]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${stem}${upper.join('')}`.slice(0, MAX_LENGTH);
}
