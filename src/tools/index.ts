/** Every intrinsic tool that the contract has: the compiler refuses one without a handler. */
import type { ToolName } from '@tiny-harness/contract/tools';
import { askParticipant } from './ask-participant.ts';
import { completeStep } from './complete-step.ts';
import { createPlan } from './create-plan.ts';
import { createTaskForParticipant } from './create-task-for-participant.ts';
import { emitUi } from './emit-ui.ts';
import { listSkillResources } from './list-skill-resources.ts';
import { listSkills } from './list-skills.ts';
import { loadSkillResource } from './load-skill-resource.ts';
import { loadSkill } from './load-skill.ts';
import { setParticipantRole } from './set-participant-role.ts';
import { spawnSubtask } from './spawn-subtask.ts';
import type { Tool } from './tool.ts';
import { unloadSkill } from './unload-skill.ts';

/** The handlers by name. */
export const HANDLERS: { readonly [Name in ToolName]: Tool<Name> } = {
  ask_participant: askParticipant,
  complete_step: completeStep,
  create_plan: createPlan,
  create_task_for_participant: createTaskForParticipant,
  emit_ui: emitUi,
  list_skill_resources: listSkillResources,
  list_skills: listSkills,
  load_skill: loadSkill,
  load_skill_resource: loadSkillResource,
  set_participant_role: setParticipantRole,
  spawn_subtask: spawnSubtask,
  unload_skill: unloadSkill,
};
