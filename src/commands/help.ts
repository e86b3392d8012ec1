/** `/help`: the commands that there are. */
import { PARAMS } from '@tiny-harness/contract/commands/v1';
import type { Command } from './command.ts';

/** A line a command: how it is typed, and what it does. */
export const help: Command = () => ({
  text: PARAMS.commands
    .map((command) => {
      const hint = 'argument_hint' in command ? ` ${command.argument_hint}` : '';
      return `/${command.name}${hint}: ${command.description}`;
    })
    .join('\n'),
});
