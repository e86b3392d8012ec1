/** The task as a model is shown it: what it needs of the data, in as many tokens as there is room for. */
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import { cutText, estimateTokens } from './tokens.ts';

/** Whose task it is, and who speaks. */
export interface TaskScene {
  readonly taskId: string;
  readonly agentId: string;
  readonly sender: string;
  readonly data: TaskExtensionData;
}

/** How much is shown: the length of a text, in tokens, and of a list. */
interface Detail {
  readonly text: number;
  readonly list: number;
}

/** From everything to hardly anything. The goal may always be eight times as long as another text. */
const DETAILS: readonly Detail[] = [
  { text: Number.MAX_SAFE_INTEGER, list: Number.MAX_SAFE_INTEGER },
  { text: 250, list: 1000 },
  { text: 80, list: 300 },
  { text: 40, list: 100 },
  { text: 20, list: 30 },
  { text: 16, list: 8 },
];

const GOAL_SHARE = 8;

/** JSON; the first of ever shorter views that fits. The goal, open steps and who speaks are what is left last. */
export function describeTask(scene: TaskScene, tokens: number): string {
  let text = '';
  for (const detail of DETAILS) {
    text = JSON.stringify(viewTask(scene, detail));
    if (estimateTokens(text) <= tokens) return text;
  }
  return cutText(text, tokens);
}

function viewTask({ taskId, agentId, sender, data }: TaskScene, { text, list }: Detail) {
  const short = (value: string) => cutText(value, text);
  const isHere = (id: string) => id === sender || id === agentId;
  const people = [...data.participants].sort((a, b) => Number(isHere(b.id)) - Number(isHere(a.id)));
  return {
    task_id: taskId,
    name: short(data.name),
    goal: cutText(data.goal, text * GOAL_SHARE),
    description: short(data.description),
    acceptance_criteria: limit(data.acceptance_criteria, list, (criterion) => ({
      text: short(criterion.text),
      met: criterion.met,
    })),
    speaker: { id: sender, role: data.participants.find(({ id }) => id === sender)?.role ?? null },
    participants: limit(people, list, ({ id, kind, role, display_name }) => ({
      id,
      kind,
      role,
      ...(display_name !== '' && { display_name: short(display_name) }),
    })),
    plan: data.plan === null ? null : viewPlan(data.plan, { text, list }),
    sub_tasks: limit(data.sub_tasks, list, ({ task_id, state, sub_state, agent }) => ({
      task_id,
      state,
      ...(sub_state !== null && { sub_state }),
      ...(agent !== null && { agent: short(agent.id) }),
    })),
    parent_tasks: limit(data.parent_tasks, list, ({ task_id }) => task_id),
  };
}

/** The steps in their order; of a plan that is too long, those that are open before those that are done. */
function viewPlan({ steps }: NonNullable<TaskExtensionData['plan']>, { text, list }: Detail) {
  const isOpen = ({ state }: (typeof steps)[number]) => state !== 'done';
  const shown = new Set(
    [...steps.filter(isOpen), ...steps.filter((step) => !isOpen(step))].slice(0, list),
  );
  const kept = steps.filter((step) => shown.has(step));
  const short = (value: string) => cutText(value, text);
  return {
    ...(kept.length < steps.length && { steps_in_all: steps.length }),
    steps: kept.map((step) => ({
      id: short(step.id),
      name: short(step.name),
      ...(step.description !== '' && { description: short(step.description) }),
      state: step.state,
      ...(step.depends_on.length > 0 && { depends_on: step.depends_on.slice(0, list).map(short) }),
      ...(step.output !== null && { output: short(step.output) }),
    })),
  };
}

/** At most so many, and how many more there are. */
function limit<T>(items: readonly T[], most: number, view: (item: T) => unknown): unknown[] {
  const shown = items.slice(0, most).map(view);
  return shown.length === items.length ? shown : [...shown, `and ${items.length - most} more`];
}
