import type { Note } from '@acme/contract/note/v1';

export { parseToolInput } from '@acme/contract/tools';

/** The notes. */
export declare const notes: readonly (Note | import('lodash').Collection<string>)[];
