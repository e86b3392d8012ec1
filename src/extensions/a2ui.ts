/** The A2UI extension: what a user did in a surface comes as data that has to be valid (rule E8). */
import { readUiEvent } from '@tiny-harness/contract/a2ui/v0.9.1';
import type { ExtensionBehaviour } from './behaviour.ts';
import { findParts, violationsOf } from './behaviour.ts';

/** Checks the events of a message against A2UI's own schema. */
export const a2uiBehaviour: ExtensionBehaviour = {
  check: (message) => violationsOf(findParts(message, readUiEvent)),
};
