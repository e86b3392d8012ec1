/** Every extension that the contract knows: the compiler refuses one without a behaviour. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { ExtensionUri } from '@tiny-harness/contract';
import { URI as A2UI } from '@tiny-harness/contract/a2ui/v0.9.1';
import { URI as CHANNEL } from '@tiny-harness/contract/channel/v1';
import { URI as COMMANDS } from '@tiny-harness/contract/commands/v1';
import { URI as STATUS } from '@tiny-harness/contract/status/v1';
import { URI as TASK } from '@tiny-harness/contract/task/v1';
import type { FieldViolation } from '../core/errors.ts';
import { a2uiBehaviour } from './a2ui/index.ts';
import type { ExtensionBehaviour } from './behaviour.ts';
import { channelBehaviour } from './channel.ts';
import { commandsBehaviour } from './commands.ts';
import { envelopeBehaviour } from './envelope.ts';
import { statusBehaviour } from './status.ts';

const BEHAVIOURS: Record<ExtensionUri, ExtensionBehaviour> = {
  [TASK]: envelopeBehaviour,
  [CHANNEL]: channelBehaviour,
  [A2UI]: a2uiBehaviour,
  [STATUS]: statusBehaviour,
  [COMMANDS]: commandsBehaviour,
};

/** What is wrong with the data of extensions in a message. */
export function checkExtensionData(message: Message): FieldViolation[] {
  return Object.values(BEHAVIOURS).flatMap(({ check }) => check(message));
}
