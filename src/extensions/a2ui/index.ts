/**
 * The A2UI extension (rule E8): surfaces that the agent shows are checked before anybody sees them; what a user did on
 * them comes back as data that has to be valid.
 */
import { readUiEvent } from '@tiny-harness/contract/a2ui/v0.9.1';
import type { ExtensionBehaviour } from '../behaviour.ts';
import { findParts, violationsOf } from '../behaviour.ts';
import { checkDataModels } from './client.ts';

export { applyUiMessages } from './apply.ts';
export { canDraw, hasDataModels, readDataModels } from './client.ts';
export { describeUi, findUnknownTarget, isUiErrorAlone, isUiEvent } from './events.ts';
export { UI_LIMITS } from './limits.ts';

/** Checks the events of a message, and the data models beside it, against A2UI's own schemas. */
export const a2uiBehaviour: ExtensionBehaviour = {
  check: (message) => [
    ...violationsOf(findParts(message, readUiEvent)),
    ...checkDataModels(message),
  ],
};
