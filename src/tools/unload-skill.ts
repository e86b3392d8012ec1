/** `unload_skill`: a skill leaves the agent's context. */
import type { Tool } from './tool.ts';
import { done } from './tool.ts';

/** One that is not loaded is left as it is. */
export const unloadSkill: Tool<'unload_skill'> = {
  open:
    ({ name }) =>
    ({ head }) => {
      const skills = head.skills.filter((each) => each !== name);
      if (skills.length === head.skills.length) return done(`"${name}" is not loaded.`);
      return done(`"${name}" is unloaded.`, { events: [{ kind: 'skills-changed', skills }] });
    },
};
