/** `/model [<model>]`: shows the model, or sets one of those that may be selected (rule T8). */
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import type { Command } from './command.ts';
import { WATCHERS_READ } from './command.ts';

/** Shows or sets the model. A refusal does not repeat what was asked for. */
export const model: Command = ({ head: { data }, args, mayChange, models }) => {
  const asked = args.trim();
  const selectable = models.join(', ');
  if (asked === '') return { text: `${describeModel(data, models)}\nSelectable: ${selectable}` };
  if (!mayChange) return { text: WATCHERS_READ };
  if (!models.includes(asked))
    return { text: `refused: not a selectable model. Selectable: ${selectable}` };
  return { text: `Model set to ${asked}.`, data: { ...data, model: asked } };
};

/** A line that says which model works on the task. */
export function describeModel({ model }: TaskExtensionData, models: readonly string[]): string {
  return `Model: ${model ?? `${models[0] ?? 'none'} (default)`}`;
}
