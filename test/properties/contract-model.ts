/** What the rules say becomes of one task: a model that knows nothing of the server. */

/** The people of the model, and the one who is not on the task. */
export const PEOPLE = ['alice', 'wanda', 'ada', 'sam'] as const;
/** One of them. */
export type Who = (typeof PEOPLE)[number];
/** Who sends what opens turns: the agent itself says what became of a sub-task. */
type Sender = Who | 'agent';
/** What a participant may do. */
type Role = 'reporter' | 'watcher' | 'admin';

/** The task as everybody on it should find it. */
export interface Model {
  readonly id: string;
  state: string;
  subState: string | undefined;
  /** The text of the status' message. */
  words: string;
  question: { asked: Who; options: readonly string[] } | undefined;
  running: { turn: number; sender: Sender } | undefined;
  waiting: { turn: number; sender: Sender }[];
  lastTurn: number;
  name: string;
  model: string | null;
  effort: string | null;
  readonly roles: Map<Who, Role>;
  readonly children: Child[];
  /** Ids of participants' messages, and `agent: …` for the agent's. */
  readonly history: string[];
  /** Turns that were cut. */
  readonly cut: number[];
}

/** A child as it is, and its row, which a task that has ended does not change any more. */
interface Child {
  readonly id: string;
  state: string;
  row: readonly [string, string | null];
  /** Of the agent's own: the turn that runs there, and how many messages wait for it to end. */
  work: { turn: number; waiting: number } | undefined;
}

/** What a message of a participant is answered with. */
export type Expected =
  | { readonly kind: 'refused'; readonly reason: string; readonly words?: RegExp }
  /** A reply in the unchanged state. */
  | { readonly kind: 'reply'; readonly words: RegExp }
  /** The task as it is. */
  | { readonly kind: 'recorded' }
  | { readonly kind: 'turn'; readonly turn: number }
  | { readonly kind: 'ended' };

/** The task after its first message, whose turn runs. */
export function createModel(id: string, firstMessage: string): Model {
  return {
    id,
    state: 'WORKING',
    subState: undefined,
    words: '',
    question: undefined,
    running: { turn: 1, sender: 'alice' },
    waiting: [],
    lastTurn: 1,
    name: 'shared',
    model: null,
    effort: null,
    roles: new Map([
      ['alice', 'reporter'],
      ['wanda', 'watcher'],
      ['ada', 'admin'],
    ]),
    children: [],
    history: [firstMessage],
    cut: [],
  };
}

/** Whether the task has ended. */
export function hasEnded({ state }: Model): boolean {
  return ['COMPLETED', 'CANCELED', 'FAILED', 'REJECTED'].includes(state);
}

/** Rules A2 and C7; undefined when the message is looked at further. */
export function refuseEarly(model: Model, who: Who): Expected | undefined {
  if (!model.roles.has(who)) return { kind: 'refused', reason: 'TASK_NOT_FOUND' };
  if (!hasEnded(model)) return undefined;
  const words = new RegExp(`TASK_STATE_${model.state}`);
  return { kind: 'refused', reason: 'UNSUPPORTED_OPERATION', words };
}

/** A message for the agent; `speaks` is false for an envelope alone. */
export function say(
  model: Model,
  who: Who,
  messageId: string,
  { text = '', interrupt = false, speaks = true }: SayOptions,
): Expected {
  const { question } = model;
  if (interrupt && model.roles.get(who) === 'watcher') return { kind: 'reply', words: /watcher/ };
  if (question !== undefined) {
    if (!speaks || question.asked !== who) {
      model.history.push(messageId);
      return { kind: 'recorded' };
    }
    if (question.options.length > 0 && !question.options.includes(text)) {
      return { kind: 'reply', words: /must be one of/ };
    }
  }
  model.history.push(messageId);
  model.lastTurn += 1;
  const turn = { turn: model.lastTurn, sender: who };
  if (question === undefined && model.running !== undefined && !interrupt) model.waiting.push(turn);
  else {
    if (model.running !== undefined) model.cut.push(model.running.turn);
    begin(model, turn);
  }
  return { kind: 'turn', turn: turn.turn };
}

/** How a message is said. */
export interface SayOptions {
  readonly text?: string;
  readonly interrupt?: boolean;
  readonly speaks?: boolean;
}

function begin(model: Model, turn: { turn: number; sender: Sender }): void {
  Object.assign(model, {
    state: 'WORKING',
    subState: undefined,
    words: '',
    question: undefined,
    running: turn,
  });
}

/** The task waits; what waits for its turn has it. */
function park(model: Model, words: string, subState = 'awaiting-next-message'): void {
  Object.assign(model, { state: 'INPUT_REQUIRED', subState, words, running: undefined });
}

function beginNext(model: Model): void {
  const next = model.waiting.shift();
  if (next !== undefined) begin(model, next);
}

/** The task ends. */
function end(model: Model, state: string, words: string): void {
  if (model.running !== undefined) model.cut.push(model.running.turn);
  Object.assign(model, { state, words, subState: undefined, question: undefined });
  Object.assign(model, { running: undefined, waiting: [] });
  model.history.push(`agent: ${words}`);
}

/** The order to complete the task (rules C2 to C6). */
export function complete(model: Model, who: Who): Expected {
  if (model.roles.get(who) === 'watcher') {
    return { kind: 'refused', reason: 'UNSUPPORTED_OPERATION', words: /watcher/ };
  }
  const open = model.children.filter(({ state }) => state !== 'CANCELED' && state !== 'COMPLETED');
  if (open.length === 0) {
    end(model, 'COMPLETED', `completed by ${who}`);
    return { kind: 'ended' };
  }
  const words = new RegExp(open.map(({ id }) => id).join('.*'));
  if (model.state === 'WORKING') {
    model.cut.push(model.running!.turn);
    park(model, 'refused');
    beginNext(model);
  }
  return { kind: 'reply', words };
}

/** The agent hands something over. */
export function spawn(model: Model): void {
  const id = `${model.id}.${model.children.length + 1}`;
  const work = { turn: 1, waiting: 0 };
  model.children.push({ id, state: 'WORKING', row: ['WORKING', null], work });
}

/** A child has moved; the task follows until it has ended. */
export function moveChild(model: Model, child: Child, state: string): void {
  child.state = state;
  if (hasEnded(model)) return;
  child.row = [state, null];
  if (state !== 'WORKING') tellResult(model, child.id);
}

/** The agent is done with a child, unless a message waits there. */
export function finishChild(model: Model, child: Child): void {
  if (child.work === undefined) return;
  if (child.work.waiting === 0) moveChild(model, child, 'COMPLETED');
  else child.work = { turn: child.work.turn + 1, waiting: child.work.waiting - 1 };
}

/** A child has ended: a message of the agent's own says so, and waits for its turn like any other. */
function tellResult(model: Model, childId: string): void {
  model.history.push(`${childId}:result:${model.id}`);
  model.lastTurn += 1;
  model.waiting.push({ turn: model.lastTurn, sender: 'agent' });
  if (model.running === undefined && model.question === undefined) beginNext(model);
}

/** CancelTask (rule C8). */
export function cancel(model: Model, who: Who): Expected {
  const early = refuseEarly(model, who);
  if (early?.kind === 'refused' && early.reason === 'UNSUPPORTED_OPERATION') {
    return { ...early, reason: 'TASK_NOT_CANCELABLE' };
  }
  if (early !== undefined) return early;
  if (model.roles.get(who) === 'watcher') {
    return { kind: 'refused', reason: 'UNSUPPORTED_OPERATION', words: /watcher/ };
  }
  endChildren(model);
  end(model, 'CANCELED', `cancelled by ${who}`);
  return { kind: 'ended' };
}

/** What the agent does by itself ends with the task; what participants began does not. */
function endChildren({ children }: Model): void {
  const own = children.filter(({ work, state }) => work !== undefined && state === 'WORKING');
  for (const child of own) Object.assign(child, { state: 'CANCELED', row: ['CANCELED', null] });
}

/** The agent says something while it works. */
export function report(model: Model, text: string): void {
  model.words = text;
  model.history.push(`agent: ${text}`);
}

/** The agent replies, and its turn is over. */
export function reply(model: Model, text: string): void {
  model.history.push(`agent: ${text}`);
  park(model, text);
  beginNext(model);
}

/** The agent asks the sender of the message that it works on; of its own messages, the reporter. */
export function ask(model: Model, text: string, options: readonly string[]): void {
  const words = options.length === 0 ? text : `${text}\nOptions: ${options.join(', ')}`;
  const { sender } = model.running!;
  const asked = sender === 'agent' ? 'alice' : sender;
  model.history.push(`agent: ${words}`);
  park(model, words, 'awaiting-answer');
  model.question = { asked, options };
}

/** The agent gives up. */
export function fail(model: Model, text: string): void {
  model.running = undefined;
  endChildren(model);
  end(model, 'FAILED', text);
}
