/** Every slash command that the card lists: the compiler refuses one without a handler. */
import type { CommandName } from '../extensions/commands.ts';
import type { Command } from './command.ts';
import { effort } from './effort.ts';
import { help } from './help.ts';
import { model } from './model.ts';
import { plan } from './plan.ts';
import { status } from './status.ts';
import { subTask } from './sub-task.ts';

/** The handlers by name. */
export const COMMANDS: Record<CommandName, Command> = {
  model,
  effort,
  'sub-task': subTask,
  status,
  help,
  plan,
};
