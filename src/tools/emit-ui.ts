/** `emit_ui`: A2UI messages as one artifact (rule E8). */
import type { UiMessage } from '@tiny-harness/contract/a2ui/v0.9.1';
import { createUiMessagePart } from '@tiny-harness/contract/a2ui/v0.9.1';
import type { ArtifactUpdated, SurfaceChanged } from '../core/events.ts';
import type { TaskHead } from '../core/task.ts';
import { applyUiMessages, canDraw } from '../extensions/a2ui/index.ts';
import type { Tool } from './tool.ts';
import { done, refuse } from './tool.ts';

/** All messages of a call are shown, or none. A client that says that it draws other catalogs only is shown nothing. */
export const emitUi: Tool<'emit_ui'> = {
  lookups: { surfaces: true },
  open:
    ({ messages }) =>
    ({ head, view, message }) => {
      if (canDraw(message) === false) {
        const words = 'the client of this message does not draw the basic catalog; use words';
        return refuse('a2ui.not_supported', words);
      }
      const applied = applyUiMessages(view.surfaces, messages);
      if (!applied.ok) return refuse('a2ui.invalid', applied.faults.join('\n'));
      const changes = applied.changed.map((change): SurfaceChanged => ({
        kind: 'surface-changed',
        ...change,
      }));
      // They have just been found to be valid.
      const shown = messages as unknown as readonly UiMessage[];
      return done('Shown.', { events: [...changes, createArtifact(head, shown)] });
    },
};

/** One part a message, in an artifact of its own. */
function createArtifact({ seq }: TaskHead, messages: readonly UiMessage[]): ArtifactUpdated {
  const [first, ...more] = messages.map(createUiMessagePart);
  if (first === undefined) throw new Error('a call has at least one message');
  return {
    kind: 'artifact',
    artifact: { artifactId: `a2ui:${seq + 1}`, name: 'a2ui', parts: [first, ...more] },
    append: false,
    lastChunk: true,
  };
}
