/** The conformance tests' adapter for this repository's server: inside the test's process, with an agent that obeys. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent, Turn, TurnOutcome } from '../../src/agents/port.ts';
import type { Config } from '../../src/config.ts';
import type { AgentControl, Settings, StartSubject, Step, Subject } from './conformance-agent.ts';
import { startApp } from './server.ts';

/** An agent for a server of ours, and how tests tell it what to do. */
export interface ObedientAgent {
  readonly agent: Agent;
  readonly control: AgentControl;
}

/** An agent that does what its cues say and nothing else. */
export function createObedientAgent(delegated = false): ObedientAgent {
  const cues = new Map<string, readonly Step[]>();
  const running = new Set<Promise<unknown>>();
  const echo = (text: string) => `heard: ${text}`;
  const play = async (turn: Turn): Promise<TurnOutcome> => {
    const [cue] = /cue-\d+/.exec(turn.text) ?? [];
    const steps = cues.get(cue ?? '') ?? [{ reply: echo(turn.text) }];
    for (const [place, step] of steps.entries()) {
      const end = await take(step, turn, `${cue ?? ''}/${place}`);
      if (end !== undefined) return end;
    }
    return replyWith('done');
  };
  const run = (turn: Turn): Promise<TurnOutcome> => {
    const work = play(turn);
    running.add(work);
    const leave = () => running.delete(work);
    work.then(leave, leave);
    return work;
  };
  return {
    agent: { lifecycle: delegated ? 'delegated' : 'conversation', run },
    control: {
      cue(...steps) {
        const text = `cue-${cues.size + 1}`;
        cues.set(text, steps);
        return text;
      },
      echo,
      idle: async () => {
        await Promise.allSettled([...running]);
      },
    },
  };
}

function replyWith(text: string): TurnOutcome {
  return { end: 'input-required', parts: [{ text }] };
}

/** Takes a step; the outcome when the turn ends with it. */
async function take(step: Step, turn: Turn, id: string): Promise<TurnOutcome | undefined> {
  if ('tool' in step) {
    const answer = await turn.call({ id, name: step.tool, input: step.input });
    step.told?.({ isError: answer.isError, text: answer.text });
    return answer.endsTurn ? { end: 'input-required' } : undefined;
  }
  if ('say' in step) await turn.say([{ text: step.say }]);
  else if ('hold' in step) await step.hold.stop(turn.signal);
  else if ('authorise' in step) {
    await turn.requireAuth([{ text: 'authorise me' }]);
    await step.authorise.stop(turn.signal);
    await turn.resume();
  } else if ('artifact' in step) {
    for (const [at, text] of step.chunks.entries()) {
      await turn.writeArtifact({
        artifactId: step.artifact,
        parts: [{ text }],
        append: at > 0,
        lastChunk: at === step.chunks.length - 1,
      });
    }
  } else if ('reply' in step) return replyWith(step.reply);
  else if ('ask' in step) {
    const { ask: text, options } = step;
    const question = options === undefined ? { text } : { text, options };
    return { end: 'input-required', question };
  } else if ('complete' in step) return { end: 'completed', parts: [{ text: step.complete }] };
  else if ('fail' in step) return { end: 'failed', parts: [{ text: step.fail }] };
  else return { end: 'rejected', parts: [{ text: step.reject }] };
  return undefined;
}

/** Starts a server of ours. */
export const startSubject: StartSubject = async (settings) => {
  const folder = mkdtempSync(join(tmpdir(), 'tiny-harness-'));
  const agent = createObedientAgent(settings.delegated);
  const start = () => open(settings, join(folder, 'tasks.db'), agent, folder);
  return start();
};

async function open(
  settings: Settings,
  database: string,
  { agent, control }: ObedientAgent,
  folder: string,
): Promise<Subject> {
  const { models, requireParticipant } = settings;
  const config: Partial<Config> = {
    database,
    ...(models === undefined ? {} : { models }),
    ...(requireParticipant === undefined ? {} : { requireParticipant }),
  };
  const server = await startApp(config, 'stopped', { agent });
  return {
    url: server.url,
    agentId: 'tiny-harness',
    agent: control,
    complaints: server.complaints,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    async restart() {
      await server.stop();
      return open(settings, database, { agent, control }, folder);
    },
  };
}
