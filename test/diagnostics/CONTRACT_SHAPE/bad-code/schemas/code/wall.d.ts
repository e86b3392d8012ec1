/** A board. */
export declare const board: string;
