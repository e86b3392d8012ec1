/** The value, frozen at every depth. */
export declare function freezeDeep<T>(value: T): T;
