/** Sub-tasks on remote agents, from one instance of the server to another. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from '@tiny-harness/contract/a2a';
import { readTaskExtension } from '@tiny-harness/contract/task/v1';
import { describe, expect, test } from 'vitest';
import type { Agent, TurnOutcome } from '../../src/agents/port.ts';
import { createScriptedAgent } from '../../src/agents/scripted/agent.ts';
import { openProxy } from '../agents/remote-proxy.ts';
import { createClient } from '../support/a2a-client.ts';
import { eventually } from '../support/eventually.ts';
import { createFolder, startApp, startServer } from '../support/server.ts';

const SCENARIO = `
rules:
  - when: { matches: '^\\[sub-task' }
    do: [{ say: 'Result: \${text}' }]
  - do:
      - tool: { name: spawn_subtask, input: { name: Errand, goal: '\${text}', agent: far } }
      - say: Handed on.
`;

/** The files of a server that hands all that it is told on to the agent at this URL. */
function writeFiles(url: string) {
  const folder = createFolder();
  const scenario = join(folder, 'scenario.yaml');
  const remoteAgents = join(folder, 'remote-agents.json');
  writeFileSync(scenario, SCENARIO);
  const far = { url, description: 'Does errands.' };
  writeFileSync(remoteAgents, JSON.stringify({ agents: { far } }));
  return { scenario, remoteAgents, database: join(folder, 'near.db') };
}

type Client = ReturnType<typeof createClient>;

/** The task, once it is as it should be. */
function taskThat(client: Client, id: string, isSo: (task: Task) => boolean): Promise<Task> {
  return eventually(`the state of ${id}`, async () => {
    const { result } = await client.call('GetTask', { id });
    return isSo(result) ? result : undefined;
  });
}

const inState = (state: string) => (task: Task) => task.status.state === `TASK_STATE_${state}`;

const saying = (start: string) => (task: Task) =>
  task.status.message?.parts[0].text?.startsWith(start) === true;

const textOf = (task: Task) => task.status.message?.parts[0].text;

function rowsOf(task: Task) {
  const data = readTaskExtension(task);
  return data?.ok === true ? data.value.sub_tasks : undefined;
}

/** Starts a server that hands on, and gives it something to do. */
async function startNear(url: string, text: string) {
  const near = await startApp({ ...writeFiles(url), remotePollMs: 20 });
  const client = createClient(near.url, 'jsonrpc', 'ann');
  const { result } = await client.send(text);
  return { near, client, id: result.task!.id, childId: `${result.task!.id}.1` };
}

/** Tasks of a server that a server nearby started there. */
async function listFar(url: string): Promise<Task[]> {
  const client = createClient(url, 'jsonrpc', 'client:tiny-harness');
  return (await client.call('ListTasks', {})).result.tasks;
}

/** An agent that begins and waits to be let go; `began` counts its turns. */
function createPatientAgent() {
  let letGo: (outcome: TurnOutcome) => void = () => undefined;
  const gone = new Promise<TurnOutcome>((resolve) => (letGo = resolve));
  const patient = {
    began: 0,
    letGo: () => {
      letGo({ end: 'completed', parts: [{ text: 'At last.' }] });
    },
  };
  const agent: Agent = {
    ...createScriptedAgent(),
    lifecycle: 'delegated',
    run: () => {
      patient.began += 1;
      return gone;
    },
  };
  return { agent, patient };
}

describe('a sub-task on a remote agent', () => {
  test('ends with the reply there, which reaches the parent; the conversation there is completed', async () => {
    const far = await startApp();
    const { client, id, childId, near } = await startNear(far.url, 'Buy milk.');
    const parent = await taskThat(client, id, saying('Result:'));
    expect(textOf(parent)).toBe(
      `Result: [sub-task "Errand" (${childId}) COMPLETED] You said: [client:tiny-harness] Buy milk.`,
    );
    expect(rowsOf(parent)).toEqual([
      {
        task_id: childId,
        agent: { kind: 'agent', id: 'far', version: null },
        state: 'COMPLETED',
        sub_state: null,
      },
    ]);
    await eventually('the end of the task there', async () => {
      const [task] = await listFar(far.url);
      return task?.status.state === 'TASK_STATE_COMPLETED' ? task : undefined;
    });
    expect([near.complaints, far.complaints]).toEqual([[], []]);
  });

  test('is cancelled there when its parent is cancelled', async () => {
    const { agent } = createPatientAgent();
    const far = await startApp({}, 'test-ends', { agent });
    const { client, id, childId, near } = await startNear(far.url, 'Buy milk.');
    await eventually('a task there', async () => (await listFar(far.url))[0]);
    await client.call('CancelTask', { id });
    const child = await taskThat(client, childId, inState('CANCELED'));
    expect(child.status.state).toBe('TASK_STATE_CANCELED');
    await eventually('the cancellation there', async () => {
      const [task] = await listFar(far.url);
      return task?.status.state === 'TASK_STATE_CANCELED' ? task : undefined;
    });
    expect(near.complaints).toEqual([]);
  });

  test('fails alone when nobody is there, or somebody else', async () => {
    const far = await startApp();
    const proxy = await openProxy(far.url, (card) => ({ ...card, supportedInterfaces: [] }));
    const { client, id, childId } = await startNear(proxy.url, 'Buy milk.');
    const parent = await taskThat(client, id, saying('Result:'));
    expect([parent.status.state, textOf(parent)]).toEqual([
      'TASK_STATE_INPUT_REQUIRED',
      `Result: [sub-task "Errand" (${childId}) FAILED] The remote agent far offers no interface of A2A 1.0 over JSONRPC or HTTP+JSON.`,
    ]);
  });

  test('asks a participant of the parent, and is answered', async () => {
    const folder = createFolder();
    const scenario = join(folder, 'far.yaml');
    writeFileSync(
      scenario,
      'rules:\n  - when: { turn: first }\n    do: [{ ask: { question: Which milk? } }]\n',
    );
    const far = await startApp({ scenario });
    const { client, id, childId } = await startNear(far.url, 'Buy milk.');
    const child = await taskThat(client, childId, inState('INPUT_REQUIRED'));
    expect(textOf(child)).toBe('Which milk?');
    await client.send('Oat.', { taskId: childId });
    const parent = await taskThat(client, id, saying('Result:'));
    expect(textOf(parent)).toContain('COMPLETED] You said: [client:tiny-harness] Oat.');
  });
});

describe('over a restart', () => {
  /** A server in a process of its own that has handed something on. */
  async function startMortal(url: string, more: Readonly<Record<string, string>> = {}) {
    const { scenario, remoteAgents, database } = writeFiles(url);
    const settings = {
      SCENARIO: scenario,
      REMOTE_AGENTS: remoteAgents,
      DATABASE: database,
      REMOTE_POLL: '100ms',
      LOG_LEVEL: 'info',
      ...more,
    };
    const near = await startServer(settings);
    const { result } = await createClient(near.url, 'jsonrpc', 'ann').send('Buy milk.');
    return { near, settings, id: result.task!.id };
  }

  test('a sub-task is gone on with, and not begun again', async () => {
    const { agent, patient } = createPatientAgent();
    const far = await startApp({}, 'test-ends', { agent });
    const { near, settings, id } = await startMortal(far.url);
    await eventually('a task there', async () => (await listFar(far.url))[0]);
    await near.stop('SIGKILL');
    const again = await startServer(settings);
    patient.letGo();
    const client = createClient(again.url, 'jsonrpc', 'ann');
    const parent = await taskThat(client, id, saying('Result:'));
    expect(textOf(parent)).toBe(`Result: [sub-task "Errand" (${id}.1) COMPLETED] At last.`);
    expect([patient.began, (await listFar(far.url)).length]).toEqual([1, 1]);
  });

  test('however often the server is killed', async () => {
    const { agent, patient } = createPatientAgent();
    const far = await startApp({}, 'test-ends', { agent });
    const { near, settings, id } = await startMortal(far.url);
    await eventually('a task there', async () => (await listFar(far.url))[0]);
    await near.stop('SIGKILL');
    for (let n = 0; n < 2; n += 1) {
      const mortal = await startServer(settings);
      // It has taken the sub-task up, and is killed with it.
      await eventually('a turn', () => mortal.stderr.includes('taken over') || undefined);
      await mortal.stop('SIGKILL');
    }
    patient.letGo();
    const again = await startServer(settings);
    const client = createClient(again.url, 'jsonrpc', 'ann');
    const parent = await taskThat(client, id, saying('Result:'));
    expect(textOf(parent)).toBe(`Result: [sub-task "Errand" (${id}.1) COMPLETED] At last.`);
    expect(patient.began).toBe(1);
  });

  test('the server stops without waiting for remote agents', async () => {
    const { agent, patient } = createPatientAgent();
    const far = await startApp({}, 'test-ends', { agent });
    const { near, settings, id } = await startMortal(far.url, { DRAIN_TIMEOUT: '10m' });
    await eventually('a task there', async () => (await listFar(far.url))[0]);
    expect(await near.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    patient.letGo();
    const again = await startServer(settings);
    const client = createClient(again.url, 'jsonrpc', 'ann');
    const parent = await taskThat(client, id, saying('Result:'));
    expect([textOf(parent)?.endsWith('COMPLETED] At last.'), patient.began]).toEqual([true, 1]);
  });

  test('what was cancelled while the remote agent was away is cancelled there when both are back', async () => {
    const { agent } = createPatientAgent();
    const far = await startApp({}, 'test-ends', { agent });
    const line = await openProxy(far.url, (card) => card);
    const { near, settings, id } = await startMortal(line.url);
    await eventually('a task there', async () => (await listFar(far.url))[0]);
    line.cut(true);
    await createClient(near.url, 'jsonrpc', 'ann').call('CancelTask', { id });
    await eventually(
      'a complaint',
      () => near.stderr.includes('a remote task goes on') || undefined,
    );
    await near.stop('SIGKILL');
    line.cut(false);
    expect((await listFar(far.url)).map(({ status }) => status.state)).toEqual([
      'TASK_STATE_WORKING',
    ]);
    await startServer(settings);
    await eventually('the cancellation there', async () => {
      const [task] = await listFar(far.url);
      return task?.status.state === 'TASK_STATE_CANCELED' ? task : undefined;
    });
  });
});

test('a file that is wrong keeps the server from starting, and is named', async () => {
  const path = join(createFolder(), 'remote-agents.json');
  writeFileSync(path, '{ "agents": { "far": { "url": "https://far.example" } } }');
  await expect(startServer({ REMOTE_AGENTS: path })).rejects.toThrow(
    `REMOTE_AGENTS: ${path}:1:22: agents/far`,
  );
});
