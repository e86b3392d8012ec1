/** Reads what a model streams, whatever it is: endpoints differ, and none of it is checked by anybody before. */

/** A call as the model wrote it. */
export interface WrittenCall {
  /** Empty when the model named no tool. */
  readonly name: string;
  /** JSON as a rule. */
  readonly argumentsText: string;
}

/** What a model answered to one request. */
export interface ModelStep {
  readonly text: string;
  readonly calls: readonly WrittenCall[];
  /** Why the answer ends: `stop`, `tool_calls`, `length`, `content_filter`; undefined when it does not end. */
  readonly finish: string | undefined;
  /** Tokens that the request took, in and out; undefined when the endpoint did not say. */
  readonly usage: number | undefined;
  /** Characters of text, arguments and thoughts. */
  readonly length: number;
}

/** Reads chunks one after the other. */
export interface StepReader {
  add(chunk: unknown): void;
  /** Characters of text, arguments and thoughts so far. */
  readonly length: number;
  /** Whether the model has said that it is done. */
  readonly ended: boolean;
  /** What has been read. */
  finish(): ModelStep;
}

interface CallInProgress {
  readonly index: unknown;
  id: string;
  name: string;
  argumentsText: string;
}

interface Progress {
  readonly calls: CallInProgress[];
  text: string;
  finish: string | undefined;
  usage: number | undefined;
  length: number;
}

/** Thoughts that some models write before their answer, in it. */
const THOUGHTS = /^\s*<think>.*?<\/think>\s*/s;

/** A reader of one answer. What is no chunk is passed over; an answer of nothing else has no end. */
export function createStepReader(): StepReader {
  const progress: Progress = {
    calls: [],
    text: '',
    finish: undefined,
    usage: undefined,
    length: 0,
  };
  return {
    add: (chunk) => {
      addChunk(progress, chunk);
    },
    get length() {
      return progress.length;
    },
    get ended() {
      return progress.finish !== undefined;
    },
    finish: () => {
      const { text, calls, finish, usage, length } = progress;
      return {
        text: text.replace(THOUGHTS, ''),
        calls: calls.map(({ name, argumentsText }) => ({ name, argumentsText })),
        finish,
        usage,
        length,
      };
    },
  };
}

function addChunk(progress: Progress, chunk: unknown): void {
  const total = member(member(chunk, 'usage'), 'total_tokens');
  if (typeof total === 'number' && total > 0) progress.usage = total;
  const choice = first(member(chunk, 'choices'));
  const finish = member(choice, 'finish_reason');
  if (typeof finish === 'string' && finish !== '') progress.finish = finish;
  const delta = member(choice, 'delta');
  const text = textOf(member(delta, 'content')) + textOf(member(delta, 'refusal'));
  progress.text += text;
  progress.length += text.length + textOf(member(delta, 'reasoning_content')).length;
  const calls = member(delta, 'tool_calls');
  if (Array.isArray(calls)) for (const call of calls) addCall(progress, call);
}

function addCall(progress: Progress, piece: unknown): void {
  const id = textOf(member(piece, 'id'));
  const written = member(piece, 'function');
  const name = textOf(member(written, 'name'));
  const call = findCall(progress.calls, member(piece, 'index'), id, name);
  call.id ||= id;
  // Some endpoints repeat the name with each piece.
  if (call.name !== name) call.name += name;
  const given = member(written, 'arguments');
  const text = typeof given === 'object' && given !== null ? JSON.stringify(given) : textOf(given);
  call.argumentsText += text;
  progress.length += name.length + text.length;
}

/** The call that a piece belongs to. Some endpoints number every call 0, or none: then a new id begins a new call. */
function findCall(calls: CallInProgress[], index: unknown, id: string, name: string) {
  const known =
    typeof index === 'number' ? calls.findLast((call) => call.index === index) : calls.at(-1);
  const begins =
    known === undefined ||
    (id !== '' && known.id !== '' && id !== known.id) ||
    (typeof index !== 'number' && id === '' && name !== '');
  if (!begins) return known;
  const call: CallInProgress = { index, id, name: '', argumentsText: '' };
  calls.push(call);
  return call;
}

/** Text, or the texts of a list of typed pieces. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value
    .map((piece) => (member(piece, 'type') === 'text' ? textOf(member(piece, 'text')) : ''))
    .join('');
}

function member(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isObject ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? (value as readonly unknown[])[0] : undefined;
}
