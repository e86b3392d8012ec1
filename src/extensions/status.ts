/** The status extension: why a task waits. The server writes it (wire.ts); nobody sends it (rules E5, T2). */
import type { ExtensionBehaviour } from './behaviour.ts';

/** It stands in metadata that only the server writes: there is nothing to check. */
export const statusBehaviour: ExtensionBehaviour = { check: () => [] };
