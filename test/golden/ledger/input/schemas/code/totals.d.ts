/** What entries come to. */
export interface Total {
  readonly amount: number;
}

/** The debits, less the credits; what is no entry counts nothing. */
export declare function addUp(entries: readonly (import('ledger/books').EntryInput | null)[]): Total;
