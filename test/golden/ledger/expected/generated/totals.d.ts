// Copied by tiny-harness codegen from schemas/code/totals.d.ts. Do not edit: change that file and run codegen.
/** What entries come to. */
export interface Total {
  readonly amount: number;
}

/** The debits, less the credits; what is no entry counts nothing. */
export declare function addUp(entries: readonly (import('./books/index.js').EntryInput | null)[]): Total;
