/** `load_skill_resource`: the text of a file that comes with a skill. */
import type { Tool } from './tool.ts';
import { done, refuse } from './tool.ts';

/** A script is shown, not run. */
export const loadSkillResource: Tool<'load_skill_resource'> = {
  open: async ({ name, kind, resource }, { skills }) => {
    const found = await skills.loadResource(name, kind, resource);
    return () => (typeof found === 'string' ? done(found) : refuse(found.code, found.message));
  },
};
