/** `list_skills`: which skills can be loaded. */
import type { Tool } from './tool.ts';
import { done } from './tool.ts';

/** A line a skill. */
export const listSkills: Tool<'list_skills'> = {
  open: async (_input, { skills }) => {
    const all = await skills.list();
    const lines = all.map(({ name, description }) => `${name}: ${description}`);
    return () => done(lines.length === 0 ? 'There are no skills.' : lines.join('\n'));
  },
};
