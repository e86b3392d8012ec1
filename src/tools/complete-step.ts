/** `complete_step`: a step is done, and its output kept. */
import { findStep, isStep, putPlan, replaceStep } from './plan-steps.ts';
import type { Tool } from './tool.ts';

/** The step is named by its id or its name. */
export const completeStep: Tool<'complete_step'> = {
  open:
    ({ step: asked, output }) =>
    ({ head }) => {
      const step = findStep(head.data, asked);
      if (!isStep(step)) return step;
      const plan = head.data.plan ?? { steps: [] };
      return putPlan(head, replaceStep(plan, { ...step, state: 'done', output }));
    },
};
