/** `complete_step`: a step is done, and its output kept. */
import { changeData } from '../core/sub-tasks.ts';
import { describePlan, findStep, isStep, replaceStep } from './plan-steps.ts';
import type { Tool } from './tool.ts';
import { done } from './tool.ts';

/** The step is named by its id or its name. */
export const completeStep: Tool<'complete_step'> = {
  open:
    ({ step: asked, output }) =>
    ({ head }) => {
      const step = findStep(head.data, asked);
      if (!isStep(step)) return step;
      const plan = replaceStep(head.data.plan ?? { steps: [] }, { ...step, state: 'done', output });
      return done(describePlan(plan), { events: [changeData(head, { ...head.data, plan })] });
    },
};
