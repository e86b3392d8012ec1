/** What a model is sent: the task, the conversation, the current message and the steps so far, within a budget. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import type { ChatCompletionMessageParam as ChatMessage } from 'openai/resources/chat/completions';
import type { LoadedSkill, Turn } from '../port.ts';
import { describeTask } from './describe-task.ts';
import type { Marker } from './marker.ts';
import type { PastStep } from './past-steps.ts';
import { toMessages } from './past-steps.ts';
import type { SystemPrompt } from './system-prompt.ts';
import { cutText, estimateTokens } from './tokens.ts';
import type { MessageScene, TextMessage } from './view-message.ts';
import { describeRest, senderOf, viewMessage, viewWords } from './view-message.ts';

/** What a context is made of. */
export interface ContextMaterial {
  readonly turn: Turn;
  readonly data: TaskExtensionData;
  readonly skills: readonly LoadedSkill[];
  /** The latest messages, oldest first. */
  readonly history: readonly Message[];
  /** The beginning of the question that the current message answers, when there is one. */
  readonly asked: string | undefined;
  /** Whether there may be messages before those. */
  readonly more: boolean;
  readonly steps: readonly PastStep[];
  readonly marker: Marker;
  readonly prompt: SystemPrompt;
  readonly a2ui: boolean;
}

/** Tokens that a message takes beside its text. */
const FRAME = 8;

/** How much of each argument and result of earlier steps is shown, in tokens: the first that makes them fit. */
const CUTS = [Number.MAX_SAFE_INTEGER, 2000, 500, 100, 20] as const;

/**
 * The messages of a request, of at most about so many tokens. The task and the skills get up to a quarter each, the
 * current message half of what is left, the steps three quarters of the rest, earlier messages what then remains: the
 * latest of them, and the agent's last question.
 */
export function buildContext(material: ContextMaterial, budget: number): ChatMessage[] {
  const system = renderSystem(material, Math.floor(budget / 4));
  let room = budget - costOf(system);
  const current = viewCurrent(material, Math.floor(room / 2));
  room -= costOf(current);
  const steps = fitSteps(material, Math.floor((room * 3) / 4));
  room -= steps.messages.reduce((sum, message) => sum + costOf(message), 0);
  const note = steps.dropped === 0 ? [] : [toUser(noteOf(steps.dropped, 'steps of this turn'))];
  const talk = mergeNeighbours([...fitHistory(material, room), current, ...note]);
  return [system, ...talk, ...steps.messages];
}

function renderSystem(material: ContextMaterial, share: number): ChatMessage {
  const { turn, data, skills, marker, prompt, a2ui } = material;
  const { agentId, taskId, sender, delegated, remoteAgents: agents } = turn;
  const task = marker.mark('task', {}, describeTask({ taskId, agentId, sender, data }, share));
  const each = Math.floor(share / Math.max(skills.length, 1));
  const whole = skills.reduce((sum, { body = '' }) => sum + estimateTokens(body), 0) <= share;
  const content = prompt({
    agentId,
    delegated,
    a2ui,
    agents,
    task,
    skills: skills.map(({ name, body = 'This skill is not there any more.' }) =>
      marker.mark('skill', { name }, whole ? body : cutText(body, each)),
    ),
    key: marker.key,
  });
  return { role: 'system', content };
}

function viewCurrent(material: ContextMaterial, tokens: number): TextMessage {
  const { turn } = material;
  const said = [turn.text, describeRest(turn.message)].filter((text) => text !== '').join('\n');
  const words = said === '' ? '(an empty message)' : said;
  return viewWords(cutText(words, tokens), turn.sender, sceneOf(material), { current: true });
}

interface FittedSteps {
  readonly messages: readonly ChatMessage[];
  readonly dropped: number;
}

/** Cuts earlier steps before the last, whose results the model has not seen yet; then leaves out the earliest. */
function fitSteps({ steps, marker }: ContextMaterial, room: number): FittedSteps {
  const last = steps.at(-1);
  if (last === undefined) return { messages: [], dropped: 0 };
  const share = Math.floor(room / 3 / last.calls.length);
  let kept: ChatMessage[][] = [];
  for (const cut of CUTS) {
    const ofLast = Math.max(cut, share);
    kept = steps.map((step) => toMessages(step, marker, step === last ? ofLast : cut));
    if (kept.flat().reduce((sum, message) => sum + costOf(message), 0) <= room) break;
  }
  let total = kept.flat().reduce((sum, message) => sum + costOf(message), 0);
  let dropped = 0;
  while (total > room && dropped < kept.length - 1) {
    total -= (kept[dropped] ?? []).reduce((sum, message) => sum + costOf(message), 0);
    dropped += 1;
  }
  return { messages: kept.slice(dropped).flat(), dropped };
}

/** The latest messages that there is room for, with the agent's last question, whose answer may be the current one. */
function fitHistory(material: ContextMaterial, room: number): TextMessage[] {
  const { turn, history, asked, more } = material;
  const scene = sceneOf(material);
  const isCurrent = (message: Message) =>
    message.role === 'ROLE_USER' &&
    message.messageId === turn.message.messageId &&
    senderOf(message) === senderOf(turn.message);
  const earlier = history.filter((message) => !isCurrent(message));
  const each = Math.floor(room / 4);
  const question = earlier.findLastIndex((message) => isQuestion(message, asked));
  const before = question < 0 && asked !== undefined ? [toQuestion(asked, each)] : [];
  const shown = new Map<number, TextMessage>();
  let left = before.reduce((rest, message) => rest - costOf(message), room - 3 * FRAME);
  const show = (index: number): boolean => {
    const message = earlier[index];
    if (message === undefined || shown.has(index)) return true;
    const view = viewMessage(message, scene, each);
    left -= costOf(view);
    if (left >= 0) shown.set(index, view);
    return left >= 0;
  };
  show(question);
  for (let index = earlier.length - 1; index >= 0 && show(index); index -= 1);
  const views = [...shown].sort(([a], [b]) => a - b).map(([, view]) => view);
  const dropped = earlier.length - views.length;
  if (views.length === 0 && dropped === 0) return [];
  const heading = 'The conversation so far.';
  if (dropped === 0 && !more) return [toUser(heading), ...before, ...views];
  return [toUser(`${heading} ${noteOf(dropped, 'messages', more)}`), ...before, ...views];
}

/** Whether a message is the question that is answered, or may be one when nobody remembers which was asked. */
function isQuestion({ role, parts }: Message, asked = ''): boolean {
  return role === 'ROLE_AGENT' && (asked === '' || parts[0].text?.startsWith(asked) === true);
}

/** A question that was asked before the earliest message that is looked at. */
function toQuestion(asked: string, tokens: number): TextMessage {
  return { role: 'assistant', content: cutText(asked, tokens) };
}

function noteOf(count: number, what: string, more = false): string {
  return `[${count}${more ? ' or more' : ''} earlier ${what} are left out: there is no room for them.]`;
}

function sceneOf({ turn: { agentId }, data, marker }: ContextMaterial): MessageScene {
  return { agentId, data, marker };
}

function toUser(content: string): TextMessage {
  return { role: 'user', content };
}

/** Many models know only dialogues in which two take turns: what follows from the same side becomes one message. */
function mergeNeighbours(messages: readonly TextMessage[]): TextMessage[] {
  const merged: TextMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role !== message.role) merged.push(message);
    else merged[merged.length - 1] = toNeighbour(last, message);
  }
  return merged;
}

function toNeighbour({ role, content }: TextMessage, next: TextMessage): TextMessage {
  return { role, content: `${content}\n\n${next.content}` };
}

/** Tokens of a message, estimated from its JSON: arguments and results are JSON anyway. */
function costOf(message: ChatMessage): number {
  return estimateTokens(JSON.stringify(message)) + FRAME;
}
