/** Steps of a plan: their ids, how they are found, and how an agent is shown them. */
import type { Plan, Step, TaskExtensionData } from '@tiny-harness/contract/task/v1';
import { changeData } from '../core/sub-tasks.ts';
import type { TaskHead } from '../core/task.ts';
import type { ToolDecision } from './tool.ts';
import { done, refuse } from './tool.ts';

/** The most characters of JSON that a plan has, outputs included: every change of the task carries all of them. */
const MAX_PLAN = 1024 * 1024;

/** A step's id: its name in lower case, with a hyphen for each run of what is neither letter nor digit; `step` for an empty one. */
export function slugOf(name: string): string {
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return slug.replace(/^-|-$/g, '') || 'step';
}

/** The step of that id or, failing that, of that name; a refusal that says which there are. */
export function findStep({ plan }: TaskExtensionData, asked: string): Step | ToolDecision {
  if (plan === null)
    return refuse('plan.missing', 'the task has no plan; make one with create_plan');
  const { steps } = plan;
  const step = steps.find(({ id }) => id === asked) ?? steps.find(({ name }) => name === asked);
  if (step !== undefined) return step;
  const known = steps.map(({ id }) => id).join(', ');
  const what = `the plan has no step "${asked.slice(0, 256)}"; its steps are ${known}`;
  return refuse('plan.unknown_step', what);
}

/** Whether a step was found. */
export function isStep(found: Step | ToolDecision): found is Step {
  return 'id' in found;
}

/** The plan with another step in the place of the one with its id. */
export function replaceStep({ steps }: Plan, step: Step): Plan {
  return { steps: steps.map((each) => (each.id === step.id ? step : each)) };
}

/** The task with another plan, described to the agent; refused when the plan is too large. */
export function putPlan(head: TaskHead, plan: Plan): ToolDecision {
  const { length } = JSON.stringify(plan);
  if (length > MAX_PLAN) {
    const words = `the plan would be ${length} characters of JSON with this, and may be ${MAX_PLAN}; keep outputs short`;
    return refuse('tool.too_large', words);
  }
  return done(describePlan(plan), { events: [changeData(head, { ...head.data, plan })] });
}

/** A step a line: state, id, name, and what it waits for. */
function describePlan({ steps }: Plan): string {
  return steps.map(describeStep).join('\n');
}

function describeStep({ id, name, state, depends_on: waitsFor }: Step): string {
  const after = waitsFor.length === 0 ? '' : ` (after ${waitsFor.join(', ')})`;
  return `[${state}] ${id}: ${name}${after}`;
}
