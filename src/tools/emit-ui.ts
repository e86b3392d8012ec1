/** `emit_ui`: A2UI messages as one artifact (rule E8). */
import type { Tool } from './tool.ts';
import { refuse } from './tool.ts';

/** All messages of a call are shown, or none. */
export const emitUi: Tool<'emit_ui'> = {
  lookups: { surfaces: true },
  open: () => () => refuse('a2ui.invalid', 'not there yet'),
};
