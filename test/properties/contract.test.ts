/**
 * Random interleavings of what four people and an agent do to one task keep every rule of the contract: after each
 * step the task is what the model (contract-model.ts) says, to everybody on it, and nothing to anybody else.
 */
import { randomUUID } from 'node:crypto';
import type { Message, Task } from '@tiny-harness/contract/a2a';
import { createChannelMessagePart } from '@tiny-harness/contract/channel/v1';
import { parseTaskExtensionData } from '@tiny-harness/contract/task/v1';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TurnOutcome } from '../../src/agents/port.ts';
import {
  completion,
  dataOf,
  member,
  stateOf,
  subStateOf,
  taskEnvelope,
  wordsOf,
} from '../support/conformance.ts';
import type { Expected, Model, Who } from './contract-model.ts';
import * as rules from './contract-model.ts';
import { PEOPLE } from './contract-model.ts';
import type { ContractService, Result } from './contract-service.ts';
import { AGENT_ID, startContractService } from './contract-service.ts';

const RUNS = Number(process.env.CONTRACT_RUNS ?? 2000);

const who = fc.constantFrom(...PEOPLE);
const text = fc.constantFrom('yes', 'no', 'hm');
const options = fc.constantFrom([], ['yes', 'no']);
const step = fc.oneof(
  fc.record({ do: fc.constant('say' as const), who, text, interrupt: fc.boolean() }),
  fc.record({ do: fc.constant('say' as const), who, text, interrupt: fc.constant(false) }),
  fc.record({ do: fc.constant('again' as const), pick: fc.nat(20), other: fc.boolean() }),
  fc.record({
    do: fc.constant('command' as const),
    who,
    text: fc.constantFrom(
      '/status',
      '/effort low',
      '/effort high',
      '/effort x',
      '/model small',
      '/model x',
      '/sub-task more',
    ),
  }),
  fc.record({
    do: fc.constant('envelope' as const),
    who,
    field: fc.constantFrom(
      'name' as const,
      'model' as const,
      'participants' as const,
      'report' as const,
    ),
    to: fc.constantFrom('watcher' as const, 'reporter' as const),
  }),
  fc.record({
    do: fc.constant('channel' as const),
    who,
    reply: fc.boolean(),
    text,
    named: fc.boolean(),
  }),
  fc.record({ do: fc.constant('complete' as const), who, named: fc.boolean() }),
  fc.record({ do: fc.constant('cancel' as const), who }),
  fc.record({
    do: fc.constant('child' as const),
    pick: fc.nat(5),
    how: fc.constantFrom('complete', 'cancel', 'say', 'finish'),
  }),
  fc.record({ do: fc.constant('look' as const), who }),
  ...[1, 2, 3].map(() =>
    fc.record({
      do: fc.constant('agent' as const),
      act: fc.constantFrom(
        'say',
        'artifact',
        'reply',
        'reply',
        'reply',
        'ask',
        'ask',
        'spawn',
        'fail',
        'ghost',
      ),
      options,
    }),
  ),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let service: ContractService;
beforeAll(async () => {
  service = await startContractService();
});
afterAll(() => service.close());

/** One run: the task, what it should be, and what is still to be answered. */
class Run {
  readonly model: Model;
  readonly #accepted: { message: Message; who: Who }[] = [];
  readonly #pending: Promise<Result>[] = [];
  #count = 0;

  constructor(model: Model) {
    this.model = model;
  }

  static async start(): Promise<Run> {
    const id = randomUUID();
    const participants = [
      member('alice', 'reporter'),
      member('wanda', 'watcher'),
      member('ada', 'admin'),
      member(AGENT_ID, 'assignee', 'agent'),
    ];
    const message = taskEnvelope({ name: 'shared', goal: 'g', participants }, { messageId: id });
    const configuration = { returnImmediately: true };
    const { value } = await service.call('SendMessage', { message, configuration }, 'alice');
    const run = new Run(rules.createModel((value as { task: Task }).task.id, id));
    await run.check();
    return run;
  }

  /** Does a step to the server and to the model, and compares. */
  async take(step: Step): Promise<void> {
    const { model } = this;
    switch (step.do) {
      case 'say': {
        const metadata = step.interrupt ? { interrupt: true } : undefined;
        const message = this.#message([{ text: step.text }], metadata);
        await this.#send(step.who, message, () =>
          rules.say(model, step.who, message.messageId, step),
        );
        break;
      }
      case 'command':
        await this.#command(step.who, step.text);
        break;
      case 'envelope':
        await this.#envelope(step);
        break;
      case 'channel':
        await this.#channel(step);
        break;
      case 'again':
        await this.#again(step.pick, step.other);
        break;
      case 'complete': {
        const message = completion(model.id, this.#place(step.named ? step.who : undefined));
        const expected = () => rules.complete(model, step.who);
        await this.#send(step.who, message, expected, step.named);
        break;
      }
      case 'cancel': {
        const result = await service.call('CancelTask', { id: model.id }, step.who);
        this.#compare(result, rules.cancel(model, step.who));
        break;
      }
      case 'child':
        await this.#child(step.pick, step.how);
        break;
      case 'look':
        await this.#look(step.who);
        break;
      case 'agent':
        await this.#agent(step.act, step.options);
        break;
    }
    await this.check();
  }

  #place(named?: Who): { messageId: string; metadata?: Record<string, unknown> } {
    this.#count += 1;
    const messageId = `${this.model.id}:${this.#count}`;
    return named === undefined ? { messageId } : { messageId, metadata: { participant_id: named } };
  }

  #message(parts: Message['parts'], metadata?: Record<string, unknown>): Message {
    const base = { ...this.#place(), role: 'ROLE_USER', taskId: this.model.id, parts } as const;
    return metadata === undefined ? base : { ...base, metadata };
  }

  /** Sends a message; `expect` changes the model. Every second one is waited for until it is answered. */
  async #send(
    sender: Who,
    message: Message,
    expectation: () => Expected,
    named = false,
  ): Promise<Expected> {
    const expected = rules.refuseEarly(this.model, sender) ?? expectation();
    const atOnce = this.#count % 2 === 0;
    const participant = named ? undefined : sender;
    const sending = service.call(
      'SendMessage',
      { message, configuration: { returnImmediately: atOnce, historyLength: 1000 } },
      participant,
    );
    if (expected.kind === 'turn' && !atOnce) {
      this.#pending.push(sending);
      // The call is accepted by the time that whatever follows is: decisions happen in order.
      await service.call('GetTask', { id: this.model.id }, 'alice');
    } else {
      this.#compare(await sending, expected);
    }
    if (expected.kind !== 'refused') this.#accepted.push({ message, who: sender });
    return expected;
  }

  #compare({ reason, words = '', value }: Result, expected: Expected): void {
    if (expected.kind === 'refused') {
      expect(reason).toBe(expected.reason);
      if (expected.words !== undefined) expect(words).toMatch(expected.words);
      // Nothing of the task is shown to who is not on it.
      if (reason === 'TASK_NOT_FOUND') expect(words).not.toMatch(/\b(alice|ada|wanda)\b/);
      return;
    }
    expect([reason, words]).toEqual([undefined, '']);
    const task = ((value as { task?: Task }).task ?? value) as Task;
    if (expected.kind === 'reply') expect(wordsOf(task)).toMatch(expected.words);
    else if (expected.kind === 'recorded') expect(wordsOf(task)).toBe(this.model.words);
    else if (expected.kind === 'ended') expect(stateOf(task)).toBe(this.model.state);
  }

  async #command(sender: Who, text: string): Promise<void> {
    const { model } = this;
    const [, name, argument] = /^\/(\S+) ?(.*)$/.exec(text)!;
    await this.#send(sender, this.#message([{ text }]), () => {
      if (name === 'status') return { kind: 'reply', words: new RegExp(`Task ${model.id}`) };
      if (model.roles.get(sender) === 'watcher') return { kind: 'reply', words: /watcher/ };
      if (argument === 'x') return { kind: 'reply', words: /refused/ };
      if (name === 'effort') model.effort = argument!;
      if (name === 'model') model.model = argument!;
      if (name === 'sub-task') {
        const id = `${model.id}.${model.children.length + 1}`;
        const row = ['INPUT_REQUIRED', 'awaiting-next-message'] as const;
        model.children.push({ id, state: row[0], row, work: undefined });
      }
      return { kind: 'reply', words: /set to|Created/ };
    });
  }

  async #envelope({ who: sender, field, to }: Extract<Step, { do: 'envelope' }>): Promise<void> {
    const { model } = this;
    const place = { taskId: model.id, ...this.#place() };
    const name = `name ${this.#count}`;
    const others = [...model.roles].filter(([id]) => id !== 'wanda');
    const participants = [
      ...others.map(([id, role]) => member(id, role)),
      member('wanda', to),
      member(AGENT_ID, 'assignee', 'agent'),
    ];
    const payload = {
      name: { name },
      model: { name, model: 'small' },
      participants: { participants },
    };
    const report = {
      kind: 'status_update',
      payload: { status: { state: 'TASK_STATE_COMPLETED' } },
    };
    const envelope =
      field === 'report'
        ? this.#message([{ data: report, mediaType: 'application/vnd.tiny-harness.event+json' }])
        : (taskEnvelope(payload[field], place) as Message);
    await this.#send(sender, envelope, () => {
      const role = model.roles.get(sender);
      if (field !== 'report') {
        if (role === 'watcher') return { kind: 'reply', words: /not accepted/ };
        if (field === 'model') return { kind: 'reply', words: /model/ };
        if (field === 'participants' && role !== 'admin') return { kind: 'reply', words: /admin/ };
        if (field === 'name') model.name = name;
        if (field === 'participants') model.roles.set('wanda', to);
      }
      return rules.say(model, sender, envelope.messageId, { speaks: false });
    });
  }

  async #channel({
    who: sender,
    reply,
    text: said,
    named,
  }: Extract<Step, { do: 'channel' }>): Promise<void> {
    const { model } = this;
    const part = createChannelMessagePart({
      channel_id: model.id,
      sender: named ? sender : 'ada',
      kind: reply ? 'help_reply' : 'message',
      text: said,
    });
    const message = this.#message([part]);
    await this.#send(sender, message, () => {
      if (!named && sender !== 'ada') return { kind: 'refused', reason: 'INVALID_PARAMS' };
      if (!reply) {
        model.history.push(message.messageId);
        return { kind: 'reply', words: /^$/ };
      }
      if (model.question === undefined) return { kind: 'reply', words: /no question/ };
      return rules.say(model, sender, message.messageId, { text: said });
    });
  }

  /** A message that was accepted comes again (rule A5). */
  async #again(pick: number, other: boolean): Promise<void> {
    const before = this.#accepted[pick % Math.max(1, this.#accepted.length)];
    if (before === undefined) return;
    const message = other ? { ...before.message, parts: [{ text: 'other' }] } : before.message;
    const configuration = { returnImmediately: true };
    const result = await service.call('SendMessage', { message, configuration }, before.who);
    expect(result.reason).toBe(other ? 'INVALID_PARAMS' : undefined);
  }

  async #child(pick: number, how: string): Promise<void> {
    const { model } = this;
    const child = model.children[pick % Math.max(1, model.children.length)];
    if (child === undefined) return;
    const isOver = child.state === 'COMPLETED' || child.state === 'CANCELED';
    if (how === 'finish') {
      if (isOver || child.work === undefined) return;
      const { turn } = child.work;
      const { end } = await settle(() => service.findTurn(child.id, turn));
      end({ end: 'completed', parts: [{ text: 'the part is done' }] });
      await service.call('GetTask', { id: child.id }, 'ada');
      rules.finishChild(model, child);
      return;
    }
    const place = { ...this.#place(), taskId: child.id };
    const message =
      how === 'say'
        ? { ...place, role: 'ROLE_USER', parts: [{ text: 'go' }] }
        : completion(child.id, place);
    const configuration = { returnImmediately: true };
    const { reason } =
      how === 'cancel'
        ? await service.call('CancelTask', { id: child.id }, 'ada')
        : await service.call('SendMessage', { message, configuration }, 'ada');
    expect(reason === undefined).toBe(!isOver);
    if (isOver) return;
    if (how === 'say' && child.work !== undefined) child.work.waiting += 1;
    rules.moveChild(
      model,
      child,
      { say: 'WORKING', complete: 'COMPLETED', cancel: 'CANCELED' }[how]!,
    );
  }

  /** Who is on the task sees it; to anybody else there is none (rule A2). */
  async #look(looker: Who): Promise<void> {
    const { id, roles } = this.model;
    const { reason } = await service.call('GetTask', { id }, looker);
    expect(reason).toBe(roles.has(looker) ? undefined : 'TASK_NOT_FOUND');
    if (roles.has(looker)) return;
    const { value } = await service.call('ListTasks', { pageSize: 100 }, looker);
    expect(value).toMatchObject({ tasks: [], totalSize: 0 });
    const nobody = await service.call('GetTask', { id });
    expect(nobody.reason).toBe('TASK_NOT_FOUND');
  }

  async #agent(act: string, choices: readonly string[]): Promise<void> {
    const { model } = this;
    if (act === 'ghost') {
      const cut = model.cut.at(-1);
      if (cut === undefined) return;
      const ghost = service.findTurn(model.id, cut);
      // A turn that was cut before its agent had begun.
      if (ghost === undefined) return;
      expect(ghost.turn.signal.aborted).toBe(true);
      await expect(ghost.turn.say([{ text: 'too late' }])).rejects.toThrow();
      const late = { artifactId: 'late', parts: [{ text: 'too late' }] as const };
      await expect(
        ghost.turn.writeArtifact({ ...late, parts: [{ text: 'too late' }] }),
      ).rejects.toThrow();
      const call = { id: 'late', name: 'spawn_subtask', input: { name: 'late', goal: 'too late' } };
      await expect(ghost.turn.call(call)).rejects.toThrow();
      ghost.end({ end: 'completed', parts: [{ text: 'too late' }] });
      return;
    }
    if (model.running === undefined) return;
    const { turn, end } = await this.#openTurn(model.running.turn);
    this.#count += 1;
    const said = `words ${this.#count}`;
    const finish = (outcome: TurnOutcome) => {
      end(outcome);
    };
    if (act === 'say') {
      await turn.say([{ text: said }]);
      rules.report(model, said);
    } else if (act === 'spawn') {
      const input = { name: 'part', goal: 'a part' };
      const call = { id: said, name: 'spawn_subtask', input };
      const first = await turn.call(call);
      // The same call again, as after a crash: it is not made twice.
      expect(await turn.call(call)).toEqual(first);
      expect(first.isError).toBe(false);
      rules.spawn(model);
    } else if (act === 'artifact') {
      await turn.writeArtifact({ artifactId: 'a', parts: [{ text: said }], append: true });
    } else if (act === 'reply') {
      rules.reply(model, said);
      finish({ end: 'input-required', parts: [{ text: said }] });
    } else if (act === 'ask') {
      rules.ask(model, said, choices);
      finish({ end: 'input-required', question: { text: said, options: choices } });
    } else {
      rules.fail(model, said);
      finish({ end: 'failed', parts: [{ text: said }] });
    }
  }

  #openTurn(number: number) {
    return settle(() => service.findTurn(this.model.id, number));
  }

  /** The task is what the model says. */
  async check(): Promise<void> {
    const { model } = this;
    const expected = this.#expected();
    let found: unknown;
    await settle(async () => {
      const { value } = await service.call(
        'GetTask',
        { id: model.id, historyLength: 1000 },
        'alice',
      );
      found = pictureOf(value as Task);
      return JSON.stringify(found) === JSON.stringify(expected) ? true : undefined;
    }, 50).catch(() => undefined);
    expect(found).toEqual(expected);
    if (model.running !== undefined) await this.#openTurn(model.running.turn);
  }

  #expected(): object {
    const { state, subState, words, name, model, effort, history, roles, children } = this.model;
    return {
      state: subState === undefined ? state : `${state} · ${subState}`,
      // The words of a refused completion are not the model's.
      words: words === 'refused' ? 'refused' : words,
      data: [name, model, effort, 'conversation'],
      roles: [...roles].map((entry) => entry.join()).sort(),
      children: children.map(({ id, row }) => [id, ...row]),
      history,
    };
  }

  /** The log as a whole keeps the rules that are about all events. */
  async checkLog(): Promise<void> {
    const events = await service.readLog(this.model.id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at));
    let ended = 0;
    for (const [at, { body }] of events.entries()) {
      const event = JSON.parse(body) as {
        task?: Task;
        statusUpdate?: Task;
        artifactUpdate?: object;
      };
      expect(Object.keys(event)).toHaveLength(1);
      expect(event.task === undefined).toBe(at > 0);
      expect(body).not.toContain('too late');
      if (event.statusUpdate === undefined) continue;
      const { state } = event.statusUpdate.status;
      const subState = subStateOf(event.statusUpdate);
      expect(subState !== undefined).toBe(state === 'TASK_STATE_INPUT_REQUIRED');
      if (/COMPLETED|CANCELED|FAILED|REJECTED/.test(state)) ended = at;
      if (state === 'TASK_STATE_COMPLETED') {
        expect(wordsOf(event.statusUpdate)).toMatch(/^completed by (alice|ada|wanda)$/);
      }
    }
    // Nothing follows the end.
    if (rules.hasEnded(this.model)) expect(ended).toBe(events.length - 1);
  }

  /** Every message that is waited for is answered in the end. */
  async finish(): Promise<void> {
    const { model } = this;
    for (let left = 100; model.running !== undefined && left > 0; left -= 1) {
      await this.take({ do: 'agent', act: 'reply', options: [] });
    }
    if (model.question !== undefined) {
      const { asked, options: choices } = model.question;
      const answer = choices.length === 0 ? 'hm' : 'yes';
      await this.take({ do: 'say', who: asked, text: answer, interrupt: false });
      await this.finish();
      return;
    }
    for (const result of await Promise.all(this.#pending)) {
      expect(result.reason).toBeUndefined();
      const { task } = result.value as { task: Task };
      expect(stateOf(task)).not.toMatch(/WORKING|SUBMITTED/);
    }
    await this.checkLog();
  }
}

function pictureOf(task: Task): object {
  const data = dataOf(task);
  expect(parseTaskExtensionData(data).ok).toBe(true);
  const words = wordsOf(task);
  return {
    state: stateOf(task),
    words: words.startsWith('Not completed') ? 'refused' : words,
    data: [data.name, data.model, data.reasoning_effort, data.lifecycle],
    roles: data.participants
      .filter(({ id }) => id !== AGENT_ID)
      .map(({ id, role }) => `${id},${role}`)
      .sort(),
    children: data.sub_tasks.map((row) => [row.task_id, row.state, row.sub_state]),
    history: (task.history ?? []).map(({ role, messageId, parts }) =>
      role === 'ROLE_AGENT'
        ? `agent: ${parts.flatMap(({ text: said = [] }) => said).join('\n')}`
        : messageId,
    ),
  };
}

/** What `look` finds, as soon as the server has done what it does by itself; no clock is involved. */
async function settle<T>(
  look: () => T | undefined | Promise<T | undefined>,
  turns = 500,
): Promise<T> {
  for (let left = turns; left > 0; left -= 1) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('the server did not come to rest');
}

test(`every rule holds after every step of ${RUNS} random runs`, { timeout: 300_000 }, async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), async (steps) => {
      count += 1;
      const run = await Run.start();
      for (const each of steps) await run.take(each);
      await run.finish();
    }),
    { numRuns: RUNS },
  );
  const { seed } = fc.readConfigureGlobal();
  console.log(`contract properties: ${count} runs with PROPERTY_SEED=${seed}`);
});
