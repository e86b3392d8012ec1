/** `ask_participant`: the task waits for somebody's answer (rules E5, T6). Nothing is held meanwhile. */
import { roleOf } from '../core/participants.ts';
import { endTurn } from '../core/turns.ts';
import { askQuestion } from '../extensions/channel.ts';
import { refuseStranger } from './members.ts';
import type { Tool } from './tool.ts';
import { done } from './tool.ts';

/** Ends the turn; the answer opens the next. */
export const askParticipant: Tool<'ask_participant'> = {
  open:
    ({ participant_id: asked, question: text, options }) =>
    ({ head, holder, agentId, memory }) => {
      if (roleOf(head.data, asked) === undefined || asked === agentId) {
        return refuseStranger(head, asked, agentId);
      }
      const question = { asked, text, options };
      const state = 'TASK_STATE_INPUT_REQUIRED';
      const message = askQuestion(head.id, agentId, question);
      const events = endTurn(head, holder, { state, message, question, memory }, undefined);
      return done(`${asked} was asked; the answer comes as the next message.`, {
        events,
        endsTurn: true,
      });
    },
};
