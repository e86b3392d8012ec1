/** The tools that an agent calls in a turn: counted, decided in their order, and recorded with what they change. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { Json, RecordedCall, ToolResult } from '../core/task.ts';
import { recordCall } from '../core/turns.ts';
import type { CallContext, OpenedCall } from '../tools/call.ts';
import { beginCall, decideCall, openCall } from '../tools/call.ts';
import type { TurnParts } from './act.ts';
import { commitAct, requireHead } from './act.ts';
import type { ToolCallRequest } from './port.ts';

/** The calls of one run of a turn. */
export class TurnCalls {
  readonly #parts: TurnParts;
  readonly #client: Message;
  /** What earlier runs have begun or made. */
  readonly #known: ReadonlyMap<string, RecordedCall>;
  /** Ids of those that this run has begun or made: each counts as a call once. */
  readonly #counted = new Set<string>();
  #before: Promise<unknown> = Promise.resolve();

  /** `client` is the message that says what the client draws. */
  constructor(parts: TurnParts, client: Message) {
    this.#parts = parts;
    this.#client = client;
    this.#known = new Map(parts.record.calls.map((call) => [call.id, call]));
  }

  /** Records calls before they are made; those that are recorded already are left as they are. */
  async begin(calls: readonly ToolCallRequest[]): Promise<void> {
    const isFresh = ({ id }: ToolCallRequest) => !this.#known.has(id) && !this.#counted.has(id);
    const fresh = calls.filter(isFresh).map(beginCall);
    if (fresh.length === 0) return;
    for (const call of fresh) this.#count(call);
    await commitAct(this.#parts, {}, (view) => {
      const head = requireHead(view);
      const { holder } = this.#parts;
      const events = fresh.map(({ id, name, input }) =>
        recordCall(head, holder, { id, name, input, result: undefined }),
      );
      return { events, result: undefined };
    });
  }

  /** Makes a call, unless it has a result. */
  async call(request: ToolCallRequest, memory?: Json): Promise<ToolResult> {
    const { tools, record, signal, log } = this.#parts;
    signal.throwIfAborted();
    const recorded = this.#known.get(request.id)?.result;
    if (recorded !== undefined) return recorded;
    // Calls that are made at once are decided in their order, and may share a commit.
    const opened = Promise.all([openCall(request, tools), this.#before]);
    this.#before = opened.catch(() => undefined);
    const [call] = await opened;
    this.#count(call);
    const { taskId, turn } = record;
    const lookups = { ...call.lookups, call: { turn, id: call.id } };
    const result = await commitAct(this.#parts, lookups, (view) =>
      decideCall(call, this.#contextOf(call.id, memory), view),
    );
    if (result.isError) {
      log.info({ taskId, turn, tool: call.name, error: result.text }, 'a tool refused a call');
    }
    return result;
  }

  #contextOf(id: string, memory: Json | undefined): CallContext {
    const { tools, agentId, record, holder } = this.#parts;
    const { sender } = record;
    const message = this.#client;
    const remoteAgents = tools.remoteAgents.map((each) => each.id);
    const begunBefore = this.#known.has(id);
    const { maxDepth } = tools;
    return { holder, begunBefore, message, sender, agentId, remoteAgents, maxDepth, memory };
  }

  #count({ id, size }: Pick<OpenedCall, 'id' | 'size'>): void {
    const { budget } = this.#parts;
    if (this.#counted.has(id)) budget.step();
    else budget.call(size);
    this.#counted.add(id);
  }
}
