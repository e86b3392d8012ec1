/** The hand-written modules that generated code imports, copied as they are. */
import type { Emitter } from './emitter.ts';

/** Emits `runtime/`. */
export const runtimeFiles: Emitter = {
  name: 'runtime',
  emit: (_model, { runtime }) =>
    [...runtime].map(([name, text]) => ({ path: `generated/runtime/${name}`, text })),
};
