/** A remote agent's turns, done by a second instance of this server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTaskMessage } from '@tiny-harness/contract/client';
import { readTaskExtension } from '@tiny-harness/contract/task/v1';
import { describe, expect, test } from 'vitest';
import { bearer, writeTokens } from '../auth/token-file.ts';
import type { InProcessServer } from '../support/server.ts';
import { createFolder, startApp } from '../support/server.ts';
import { createClient } from '../support/a2a-client.ts';
import { createTurn, summarise } from './recorded-turn.ts';
import type { Edit } from './remote-proxy.ts';
import { openProxy } from './remote-proxy.ts';
import { createFarAgent } from './remote-world.ts';

const SCENARIO = `
lifecycle: delegated
rules:
  - when: { contains: report }
    do:
      - say: I am looking.
      - wait: 20ms
      - artifact: { id: r, name: Report, chunks: [One., ' Two.'], every: 20ms }
      - complete: The report is there.
  - when: { contains: holiday }
    do:
      - ask:
          question: Where to?
          options: [sea, mountains]
          then: [{ complete: 'Off to the \${text}.' }]
  - when: { contains: chat }
    do: [{ reply: And then? }]
  - when: { contains: and then }
    do: [{ complete: 'Done: \${text}' }]
  - when: { contains: secret }
    do:
      - require-auth: { text: Sign in elsewhere., for: 40ms }
      - complete: Forty-two.
  - when: { contains: fail }
    do: [{ fail: No paper. }]
`;

/** One that hands everything on, and has its answer when that comes back. */
const HANDS_ON = `
rules:
  - when: { matches: '^\\[sub-task' }
    do: [{ say: All is done. }]
  - when: { contains: Look it up }
    do: [{ wait: 40ms }, { say: Found. }]
  - do:
      - tool: { name: spawn_subtask, input: { name: Look, goal: Look it up } }
      - say: It is handed on.
`;

/** Starts an instance that plays the scenario, or converses without one. */
function startFar(scenario?: string): Promise<InProcessServer> {
  if (scenario === undefined) return startApp();
  const path = join(createFolder(), 'scenario.yaml');
  writeFileSync(path, scenario);
  return startApp({ scenario: path });
}

const ways: readonly (readonly [string, Edit])[] = [
  ['streaming over JSON-RPC', (card) => card],
  ['polling over JSON-RPC', (card) => ({ ...card, capabilities: without(card, 'streaming') })],
  ['streaming over REST', (card) => onlyRest(card)],
  ['polling over REST', (card) => onlyRest({ ...card, capabilities: without(card, 'streaming') })],
];

function without({ capabilities }: Parameters<Edit>[0], name: string): object {
  return { ...capabilities, [name]: false };
}

function onlyRest(card: Parameters<Edit>[0]): ReturnType<Edit> {
  const supportedInterfaces = card.supportedInterfaces.filter(
    ({ protocolBinding }) => protocolBinding === 'HTTP+JSON',
  );
  return { ...card, supportedInterfaces };
}

describe.each(ways)('%s', (way, edit) => {
  const isStream = way.startsWith('streaming');

  async function runAgainst(scenario: string | undefined, text: string) {
    const far = await startFar(scenario);
    const proxy = await openProxy(far.url, edit);
    const { agent, known } = createFarAgent(proxy.url);
    const { turn, acts } = createTurn(text);
    const outcome = await agent.run(turn);
    return { far, agent, known, acts, outcome, ending: summarise(outcome) };
  }

  test('mirrors updates and artifacts up to the end', async () => {
    const { ending, acts, known } = await runAgainst(SCENARIO, 'Write the report.');
    expect(ending).toEqual(['completed', 'The report is there.']);
    if (isStream) expect(acts[0]).toEqual({ say: 'I am looking.' });
    const written = acts.flatMap((act) => ('artifact' in act ? [act.artifact] : []));
    expect(written[0]).toMatchObject({ artifactId: 'r', name: 'Report' });
    const text = written
      .slice(written.findLastIndex(({ append }) => append !== true))
      .flatMap(({ parts }) => parts.map((part) => part.text))
      .join('');
    expect(text).toBe('One. Two.');
    expect(known.get('task-1')?.open).toBe(false);
  });

  test('takes the reply of a conversation for the answer, and completes it there', async () => {
    const { ending, known, agent, far } = await runAgainst(undefined, 'Hello.');
    expect(ending).toEqual(['completed', 'You said: [client:tiny-harness] Hello.']);
    const task = known.get('task-1')!;
    expect(task.open).toBe(true);
    await agent.settle(task, 'complete', new AbortController().signal);
    const there = createClient(far.url, 'jsonrpc', 'client:tiny-harness');
    const { result } = await there.call('GetTask', { id: task.remoteTaskId });
    expect([result.status.state, result.status.message?.parts]).toEqual([
      'TASK_STATE_COMPLETED',
      [{ text: 'completed by client:tiny-harness' }],
    ]);
    // Once more, as after a crash.
    await agent.settle(task, 'complete', new AbortController().signal);
  });

  test.each(['conversation', 'delegated'])(
    'waits for the sub-tasks there, and takes what comes of them for the answer: %s',
    async (lifecycle) => {
      const { ending } = await runAgainst(`lifecycle: ${lifecycle}${HANDS_ON}`, 'Do it.');
      expect(ending).toEqual(['completed', 'All is done.']);
    },
  );

  test('passes a question on, and the answer back into the same task', async () => {
    const { outcome, ending, known, agent, acts } = await runAgainst(SCENARIO, 'Plan a holiday.');
    expect(ending).toEqual(['input-required', 'Where to?\nOptions: sea, mountains']);
    expect(outcome.question).toBeDefined();
    const first = known.get('task-1');
    const answer = createTurn('sea', { number: 2, memory: outcome.memory });
    expect(summarise(await agent.run(answer.turn))).toEqual(['completed', 'Off to the sea.']);
    expect(known.get('task-1')).toEqual({ ...first, turn: 2, open: false });
    expect([acts, answer.acts]).toEqual([[], []]);
  });

  test('asks for more where a delegated task waits', async () => {
    const { outcome, ending, agent } = await runAgainst(SCENARIO, 'Let us chat.');
    expect(ending).toEqual(['input-required', 'And then?']);
    const next = createTurn('and then?', { number: 2, memory: outcome.memory });
    expect(summarise(await agent.run(next.turn))).toEqual(['completed', 'Done: and then?']);
  });

  test('waits for an authorisation', async () => {
    const { ending, acts } = await runAgainst(SCENARIO, 'Tell the secret.');
    expect(ending).toEqual(['completed', 'Forty-two.']);
    if (isStream) {
      expect(acts).toEqual([{ requireAuth: 'Sign in elsewhere.' }, { resume: true }]);
    }
  });

  test('fails with what the remote agent says', async () => {
    const { ending } = await runAgainst(SCENARIO, 'Please fail.');
    expect(ending).toEqual(['failed', 'The remote agent far failed: No paper.']);
  });

  test('cancels', async () => {
    const { known, agent, far } = await runAgainst(SCENARIO, 'Plan a holiday.');
    const task = known.get('task-1')!;
    await agent.settle(task, 'cancel', new AbortController().signal);
    const there = createClient(far.url, 'jsonrpc', 'client:tiny-harness');
    const { result } = await there.call('GetTask', { id: task.remoteTaskId });
    expect(result.status.state).toBe('TASK_STATE_CANCELED');
    await agent.settle(task, 'cancel', new AbortController().signal);
  });
});

test('the task brings its data along, and of this server only the participant that it is there', async () => {
  const far = await startFar();
  const { agent, known } = createFarAgent(far.url);
  const data = {
    name: 'Translate',
    goal: 'Translate it.',
    description: 'Into Latin.',
    acceptance_criteria: [{ text: 'No typos.' }],
  };
  const { turn } = createTurn(createTaskMessage(data, { text: 'Hello.' }).parts);
  await agent.run(turn);
  const there = createClient(far.url, 'jsonrpc', 'client:tiny-harness');
  const { result } = await there.call('GetTask', { id: known.get('task-1')!.remoteTaskId });
  expect(readTaskExtension(result)).toMatchObject({
    value: {
      ...data,
      participants: [
        { id: 'client:tiny-harness', role: 'reporter' },
        { id: 'tiny-harness', role: 'assignee' },
      ],
    },
  });
});

test('a turn that is run again goes on where the remote task is', async () => {
  const far = await startFar(SCENARIO);
  const { agent, known } = createFarAgent(far.url);
  const first = createTurn('Write the report.');
  const running = agent.run({
    ...first.turn,
    say: async (parts) => {
      await first.turn.say(parts);
      first.cut();
    },
  });
  await expect(running).rejects.toThrow();
  expect([first.acts, known.get('task-1')?.open]).toEqual([[{ say: 'I am looking.' }], true]);
  const said = { messageId: 's', role: 'ROLE_AGENT', parts: [{ text: 'I am looking.' }] } as const;
  const again = createTurn('Write the report.', { attempt: 2 });
  const history = () => Promise.resolve([again.turn.message, { ...said, parts: [...said.parts] }]);
  const outcome = await agent.run({ ...again.turn, history: history as typeof again.turn.history });
  expect(summarise(outcome)).toEqual(['completed', 'The report is there.']);
  expect(again.acts.filter((act) => 'say' in act)).toEqual([]);
  const there = createClient(far.url, 'jsonrpc', 'client:tiny-harness');
  expect((await there.call('ListTasks', {})).result.totalSize).toBe(1);
});

test('a turn that is run again after the remote task has ended takes its end', async () => {
  const far = await startFar(SCENARIO);
  const { agent } = createFarAgent(far.url);
  await agent.run(createTurn('Write the report.').turn);
  const again = createTurn('Write the report.', { attempt: 2 });
  expect(summarise(await agent.run(again.turn))).toEqual(['completed', 'The report is there.']);
  expect(again.acts).toMatchObject([{ artifact: { artifactId: 'r' } }]);
});

test('what is said to a task that has ended meanwhile gets its end for an answer', async () => {
  const far = await startFar(SCENARIO);
  const { agent } = createFarAgent(far.url);
  await agent.run(createTurn('Please fail.').turn);
  const next = createTurn('Try again.', { number: 2 });
  expect(summarise(await agent.run(next.turn))).toEqual([
    'failed',
    'The remote agent far failed: No paper.',
  ]);
});

test('a message that cuts the turn here cuts it there', async () => {
  const far = await startFar();
  const { agent, known } = createFarAgent(far.url);
  const { turn } = createTurn('Stop.');
  await agent.run({ ...turn, message: { ...turn.message, metadata: { interrupt: true } } });
  const there = createClient(far.url, 'jsonrpc', 'client:tiny-harness');
  const request = { id: known.get('task-1')!.remoteTaskId, historyLength: 10 };
  const { result } = await there.call('GetTask', request);
  expect(result.history?.[0]).toMatchObject({
    messageId: 'task-1:1',
    metadata: { interrupt: true, participant_id: 'client:tiny-harness' },
  });
});

test('a token says who this server is there, and is sent to the agent alone', async () => {
  const authTokens = writeTokens({ 'a-token-of-near': 'near' });
  const far = await startApp({ auth: 'tokens', authTokens });
  const { agent, known } = createFarAgent(far.url, { token: 'a-token-of-near' });
  const outcome = await agent.run(createTurn('Hello.').turn);
  expect(summarise(outcome)).toEqual(['completed', 'You said: [near] Hello.']);
  const task = known.get('task-1')!;
  await agent.settle(task, 'complete', new AbortController().signal);
  const there = createClient(far.url, 'jsonrpc');
  const { result } = await there.call(
    'GetTask',
    { id: task.remoteTaskId },
    bearer('a-token-of-near'),
  );
  expect(result.status.message?.parts).toEqual([{ text: 'completed by near' }]);
  const stranger = createFarAgent(far.url, { token: 'another' });
  expect(summarise(await stranger.agent.run(createTurn('Hello.').turn))).toEqual([
    'failed',
    'The remote agent far does not accept the credentials of this server (status 401).',
  ]);
});
