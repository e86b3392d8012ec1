/**
 * Names in the emitted module: no variable hides a function, a constant or a global that the code uses.
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

/** The names of a module. Those of its functions and constants differ from all in any function. */
export class ModuleNames {
  private readonly taken: Set<string>;
  private readonly local = new Set<string>();

  constructor(...taken: readonly string[]) {
    this.taken = new Set([...GLOBALS, ...taken]);
  }

  /** A name for a function or constant that is like `stem`. */
  take(stem: string): string {
    const name = makeUnique(stem, (candidate) => this.has(candidate) || this.local.has(candidate));
    this.taken.add(name);
    return name;
  }

  has(name: string): boolean {
    return this.taken.has(name);
  }

  addLocal(name: string): void {
    this.local.add(name);
  }
}

/** The names of variables that are visible in one block. */
export class Scope {
  private readonly module: ModuleNames;
  private readonly outer: Scope | undefined;
  private readonly taken = new Set<string>();

  constructor(module: ModuleNames, outer?: Scope) {
    this.module = module;
    this.outer = outer;
  }

  /** A block within this one. */
  nest(): Scope {
    return new Scope(this.module, this);
  }

  /** A name for a variable that is like `word`, which may be any text. */
  take(word: string): string {
    const stem = toValueName(word.slice(0, MAX_LENGTH));
    const name = makeUnique(stem, (candidate) => this.module.has(candidate) || this.has(candidate));
    this.taken.add(name);
    this.module.addLocal(name);
    return name;
  }

  private has(name: string): boolean {
    return this.taken.has(name) || this.outer?.has(name) === true;
  }
}

/** `stem` with further words, each with a capital. */
export function extendStem(stem: string, words: string): string {
  const upper = words
    .split(/[^A-Za-z0-9_$]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${stem}${upper.join('')}`.slice(0, MAX_LENGTH);
}

function makeUnique(stem: string, isTaken: (name: string) => boolean): string {
  let name = stem;
  for (let count = 2; isTaken(name); count += 1) name = `${stem}${String(count)}`;
  return name;
}
