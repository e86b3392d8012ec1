/** `load_skill`: a skill joins the agent's context. */
import type { Tool } from './tool.ts';
import { done, refuse } from './tool.ts';

/** Skills that are in the context at a time. */
const MAX_SKILLS = 32;

/** Loading it again changes nothing. */
export const loadSkill: Tool<'load_skill'> = {
  open: async ({ name }, { skills }) => {
    const skill = await skills.load(name);
    return ({ head }) => {
      if ('code' in skill) return refuse(skill.code, skill.message);
      if (head.skills.includes(skill.name)) return done(skill.body);
      if (head.skills.length >= MAX_SKILLS) {
        const words = `${MAX_SKILLS} skills are loaded, the most at a time; unload one first: ${head.skills.join(', ')}`;
        return refuse('skill.too_many', words);
      }
      const loaded = [...head.skills, skill.name];
      return done(skill.body, { events: [{ kind: 'skills-changed', skills: loaded }] });
    };
  },
};
