/** `list_skill_resources`: the files that come with a skill. */
import type { Tool } from './tool.ts';
import { done, refuse } from './tool.ts';

/** A line a file. */
export const listSkillResources: Tool<'list_skill_resources'> = {
  open: async ({ name }, { skills }) => {
    const found = await skills.listResources(name);
    if ('code' in found) return () => refuse(found.code, found.message);
    const lines = found.map((resource) => `${resource.kind}: ${resource.name}`);
    return () => done(lines.length === 0 ? 'The skill has no files.' : lines.join('\n'));
  },
};
