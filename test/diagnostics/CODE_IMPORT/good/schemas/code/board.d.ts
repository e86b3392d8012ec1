/** A board. */
export interface Board {
  readonly name: string;
}

/** From 'nowhere' comes nothing. */
export declare const board: readonly unknown[];
