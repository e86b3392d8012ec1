/** `set_participant_role`: another role for somebody who is on the task already. */
import { roleOf } from '../core/participants.ts';
import { changeData } from '../core/sub-tasks.ts';
import { refuseStranger } from './members.ts';
import type { Tool } from './tool.ts';
import { done, refuse } from './tool.ts';

/** Only while the turn answers an admin; the last admin stays one, and the agent keeps its work. */
export const setParticipantRole: Tool<'set_participant_role'> = {
  open:
    ({ participant_id: id, role }) =>
    ({ head, sender, agentId }) => {
      const { data } = head;
      if (roleOf(data, sender) !== 'admin') {
        const words = `only an admin's message may change roles, and ${sender} is none`;
        return refuse('channel.not_a_member', words);
      }
      const old = roleOf(data, id);
      if (old === undefined) return refuseStranger(head, id, agentId);
      if (old === role) return done(`${id} is ${role} already.`);
      if (id === agentId) {
        return refuse('channel.role_required', 'you work on this task and stay its assignee');
      }
      const admins = data.participants.filter((each) => each.role === 'admin');
      if (old === 'admin' && admins.length === 1) {
        const words = `${id} is the last admin; make somebody else an admin first`;
        return refuse('channel.role_required', words);
      }
      const participants = data.participants.map((each) =>
        each.id === id ? { ...each, role } : each,
      );
      return done(`${id} is ${role} now.`, {
        events: [changeData(head, { ...data, participants })],
      });
    },
};
