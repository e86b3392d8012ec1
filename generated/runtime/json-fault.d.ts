/** Line and column from 1 at which a text stops being JSON, what stands there, and what should. */
export declare function describeJsonFault(text: string): string;
