/** `create_task_for_participant`: a child that a participant works on. */
import { roleOf } from '../core/participants.ts';
import { startChild } from './children.ts';
import { refuseStranger } from './members.ts';
import type { Tool } from './tool.ts';

/** The participant becomes its assignee, whoever works on the parent a watcher. */
export const createTaskForParticipant: Tool<'create_task_for_participant'> = {
  open:
    ({ participant_id: id, ...assignment }) =>
    (context) => {
      const { head, agentId } = context;
      const { participants } = head.data;
      if (roleOf(head.data, id) === undefined || id === agentId) {
        return refuseStranger(head, id, agentId);
      }
      return startChild(
        context,
        { ...assignment, description: '' },
        {
          participants: participants.map((each) => {
            if (each.id === id) return { ...each, role: 'assignee' };
            return each.role === 'assignee' ? { ...each, role: 'watcher' } : each;
          }),
          lifecycle: null,
          said: (child) => `Task ${child} waits for ${id}; what comes of it comes as a message.`,
        },
      );
    },
};
