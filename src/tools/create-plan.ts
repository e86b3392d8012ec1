/** `create_plan`: a new plan in the place of the old one (rule T10). */
import type { Plan } from '@tiny-harness/contract/task/v1';
import { findPlanFault } from '../core/plan.ts';
import { putPlan, slugOf } from './plan-steps.ts';
import type { Tool } from './tool.ts';
import { refuse } from './tool.ts';

/** The most steps of a plan: every change of the task carries all of them. */
const MAX_STEPS = 1000;

/** Steps get their ids from their names; dependencies are names, or ids. */
export const createPlan: Tool<'create_plan'> = {
  open:
    ({ steps }) =>
    ({ head }) => {
      if (steps.length > MAX_STEPS) {
        const words = `a plan has at most ${MAX_STEPS} steps, and this one has ${steps.length}; make steps larger, or hand parts over with spawn_subtask`;
        return refuse('plan.invalid', words);
      }
      const plan: Plan = {
        steps: steps.map(({ name, description, depends_on }) => ({
          id: slugOf(name),
          name,
          description,
          depends_on: depends_on.map(slugOf),
          state: 'pending',
          output: null,
          linked_tasks: [],
        })),
      };
      const fault = findPlanFault(plan);
      if (fault !== undefined) return refuse('plan.invalid', fault);
      return putPlan(head, plan);
    },
};
