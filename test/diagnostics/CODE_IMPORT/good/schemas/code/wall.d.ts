/** A wall. */
export declare const wall: string;
