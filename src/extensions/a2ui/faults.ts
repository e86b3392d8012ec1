/** What is wrong with user interface that an agent wants to show, in words for the agent: a bounded number of lines. */

import { isObject } from '../../core/json.ts';

/** The most characters of an id that a line shows. */
const WIDTH = 60;

/** Collects faults up to a limit. */
export class Faults {
  readonly #limit: number;
  readonly #lines: string[] = [];
  #isCut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Where it is wrong, and what. */
  add(place: string, what: string): void {
    if (this.#lines.length < this.#limit) this.#lines.push(`${place}: ${what}`);
    else this.#isCut = true;
  }

  /** Whether looking further is of no use. */
  get isFull(): boolean {
    return this.#isCut;
  }

  /** How many there are to tell. */
  get count(): number {
    return this.#lines.length;
  }

  /** The faults, one a line; the last line says when there are more. */
  list(): readonly string[] {
    return this.#isCut ? [...this.#lines, 'and more: mend these first'] : this.#lines;
  }
}

/** An id or other text of somebody else, quoted on one line and cut to 60 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text);
}

/** A component as faults call it: `Button "send" of surface "order"`, as far as it is known. */
export function nameComponent(component: unknown, surfaceId: unknown): string {
  const { id, component: type } = isObject(component) ? component : {};
  const name = typeof type === 'string' ? type.slice(0, WIDTH) : 'component';
  const called = typeof id === 'string' ? ` ${quote(id)}` : '';
  const owner = typeof surfaceId === 'string' ? ` of surface ${quote(surfaceId)}` : '';
  return `${name}${called}${owner}`;
}
