/** The commands extension: which messages are commands (rule E7). */
import type { Message } from '@tiny-harness/contract/a2a';
import { PARAMS } from '@tiny-harness/contract/commands/v1';
import type { ExtensionBehaviour } from './behaviour.ts';

/** The name of a command that the card lists. */
export type CommandName = (typeof PARAMS)['commands'][number]['name'];

/** A command as it was typed. */
export interface TypedCommand {
  readonly name: CommandName;
  /** All that follows the name and one space. */
  readonly args: string;
}

/**
 * The command that a message is; undefined when it is none. It is one when its only part is the text `/name` or
 * `/name arguments` with a name that is registered: people write paths.
 */
export function readCommand({ parts }: Message): TypedCommand | undefined {
  const [part, second] = parts;
  if (second !== undefined || part.text === undefined) return undefined;
  const [, typed, args = ''] = /^\/([a-z][a-z0-9-]*)(?: ([^]*))?$/.exec(part.text) ?? [];
  const name = PARAMS.commands.find((command) => command.name === typed)?.name;
  return name === undefined ? undefined : { name, args };
}

/** A command is text: there is no data to check. */
export const commandsBehaviour: ExtensionBehaviour = { check: () => [] };
