/** What participants did and were told while servers came and went; compared with what is there in the end. */
import type { Message, StreamResponse, Task } from '@tiny-harness/contract/a2a';
import { expect } from 'vitest';
import type { Heard } from '../support/a2a-client.ts';

/** A message, and whether the server said that it has it. */
export interface Sent {
  readonly messageId: string;
  readonly text: string;
  /** Path of the webhook that came with it. */
  readonly hook: string | undefined;
  state: 'unknown' | 'acknowledged' | 'refused';
  taskId: string | undefined;
}

/** Everything that was sent, and every event that a stream gave. */
export class Ledger {
  readonly sent: Sent[] = [];
  /** Events of each task by number: all streams must give the same. */
  readonly #events = new Map<string, Map<number, string>>();

  /** Notes the events of one stream of a task, and that they follow each other; the first is the task itself. */
  hear(taskId: string, heard: readonly Heard[]): void {
    const events = this.#events.get(taskId) ?? new Map<number, string>();
    this.#events.set(taskId, events);
    const [first, ...rest] = heard;
    let last = first?.id ?? 0;
    for (const { id, body } of rest) {
      expect(id, `the event after ${last} of ${taskId}`).toBe(last + 1);
      last += 1;
      const text = JSON.stringify(body);
      expect(events.get(last) ?? text).toBe(text);
      events.set(last, text);
    }
  }

  /** Checks that the log of a task has all that streams gave, and each acknowledged message once. */
  checkTask(task: Task, log: readonly StreamResponse[]): void {
    for (const [seq, text] of this.#events.get(task.id) ?? [])
      expect(JSON.stringify(log[seq - 1]), `event ${seq} of ${task.id}`).toBe(text);
    const history = task.history ?? [];
    for (const { messageId, state, taskId, text } of this.sent) {
      const times = history.filter((message) => isOurs(message, messageId));
      if (taskId === task.id && state === 'acknowledged') expect(times, messageId).toHaveLength(1);
      if (state === 'refused') expect(times, messageId).toHaveLength(0);
      for (const { parts } of times) expect(parts).toEqual([{ text }]);
    }
    expect(artifactsOf(task)).toEqual(assemble(log));
    const ids = history.map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(ids.length);
  }
}

function isOurs(message: Message, messageId: string): boolean {
  return message.role === 'ROLE_USER' && message.messageId === messageId;
}

function artifactsOf({ artifacts = [] }: Task): Record<string, string> {
  return Object.fromEntries(artifacts.map((each) => [each.artifactId, textOf(each.parts)]));
}

/** The artifacts that the updates of a log add up to. */
function assemble(log: readonly StreamResponse[]): Record<string, string> {
  const artifacts: Record<string, string> = {};
  for (const { artifactUpdate } of log) {
    if (artifactUpdate === undefined) continue;
    const { artifact, append = false } = artifactUpdate;
    const before = append ? artifacts[artifact.artifactId]! : '';
    artifacts[artifact.artifactId] = before + textOf(artifact.parts);
  }
  return artifacts;
}

function textOf(parts: readonly { readonly text?: string }[]): string {
  return parts.map(({ text = '' }) => text).join('');
}

/**
 * Checks that a webhook got every event from some event on, in order; each may have come again before the next, and
 * all from the first on when the message that asked for it was sent again. Chunks of artifacts look alike, so that
 * there may be several ways to understand what came: one has to be right.
 */
export function checkDeliveries(bodies: readonly string[], log: readonly StreamResponse[]): void {
  const events = log.map((event) => JSON.stringify(event));
  /** Pairs of the first event and the next one, as `first * SPAN + next`. */
  let ways = new Set(events.map((_, first) => first * SPAN + first));
  for (const [at, body] of bodies.entries()) {
    const possible = [...ways].flatMap((way) => {
      const [first, next] = [Math.floor(way / SPAN), way % SPAN];
      const went = [
        ...(body === events[next] ? [next + 1] : []),
        ...(next > first && body === events[next - 1] ? [next] : []),
        ...(body === events[first] ? [first + 1] : []),
      ];
      return went.map((to) => first * SPAN + to);
    });
    ways = new Set(possible);
    expect(ways.size, `delivery ${at} of ${bodies.length} is in order: ${body}`).toBeGreaterThan(0);
  }
  const complete = [...ways].some((way) => way % SPAN === events.length);
  expect(complete, `the last event was delivered, after ${bodies.length}`).toBe(true);
}

/** More than a task of these tests has events. */
const SPAN = 100_000;
