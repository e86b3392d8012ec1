/** How a store shows a task, now and as it was. */
import type { Message } from '@tiny-harness/contract/a2a';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskEvent } from '../../src/core/events.ts';
import type { OpenStore } from './fixture.ts';
import {
  append,
  chunk,
  created,
  createClock,
  EVERYTHING,
  message,
  metadataOf,
  readJson,
  START,
  started,
  taskData,
  waits,
  working,
} from './fixture.ts';

export function describeTasks(open: OpenStore): void {
  describe('readTask', () => {
    it('shows a task to its readers alone', async () => {
      const store = open(createClock().now);
      await append(store, 'task', created({ readers: ['ann', 'bob', 'ann'] }));
      expect(await readJson(store, 'task', {}, 'bob')).toBeDefined();
      const asked = [
        ['task', 'bob'],
        ['task', 'eve'],
        ['none', 'bob'],
      ] as const;
      const told = await Promise.all(asked.map(([id, who]) => store.isReader(id, who)));
      expect(told).toStrictEqual([true, false, false]);
      expect(await readJson(store, 'task', {}, 'eve')).toBeUndefined();
      expect(await readJson(store, 'none')).toBeUndefined();
      await store.close();
    });

    it('gives ProtoJSON, with what was asked for', async () => {
      const store = open(createClock().now);
      await append(store, 'task', created(), message('one', 1), started(1));
      await append(store, 'task', working(), chunk('a', '1'), waits(1, 'Yes?'));
      const reply = {
        messageId: 'task:status:3',
        contextId: 'context',
        taskId: 'task',
        role: 'ROLE_AGENT',
        parts: [{ text: 'Yes?' }],
      };
      const timestamp = new Date(START).toISOString();
      const bare = {
        id: 'task',
        contextId: 'context',
        status: { state: 'TASK_STATE_INPUT_REQUIRED', message: reply, timestamp },
        metadata: metadataOf(taskData()),
      };
      const asked = {
        messageId: 'one',
        role: 'ROLE_USER',
        parts: [{ text: 'one' }],
        taskId: 'task',
        contextId: 'context',
      };
      expect(await readJson(store, 'task', { history: 0, artifacts: false })).toStrictEqual(bare);
      expect(await readJson(store, 'task')).toStrictEqual({
        ...bare,
        artifacts: [{ artifactId: 'a', parts: [{ text: '1' }] }],
        history: [asked, reply],
      });
      expect(await readJson(store, 'task', { history: 1 })).toMatchObject({ history: [reply] });
      expect(await store.readTask('task', 'ann', EVERYTHING)).toMatchObject({
        seq: 3,
        state: 'TASK_STATE_INPUT_REQUIRED',
      });
      await store.close();
    });

    it('leaves out artifacts and history that are empty', async () => {
      const store = open(createClock().now);
      await append(store, 'task', created());
      expect(Object.keys((await readJson(store, 'task'))!)).toStrictEqual([
        'id',
        'contextId',
        'status',
        'metadata',
      ]);
      await store.close();
    });

    it('joins chunks, and begins an artifact anew', async () => {
      const store = open(createClock().now);
      await append(
        store,
        'task',
        created(),
        chunk('b', '1', { name: 'B', metadata: { x: 1, y: 1 }, extensions: ['urn:x'] }),
        chunk('a', '1', { description: 'first' }),
        chunk('b', '2', { append: true, name: 'other' }),
        chunk('a', '2', { append: true, metadata: { z: 1 } }),
        chunk('b', '3', { append: true, metadata: { y: 2 } }),
      );
      const text = (...texts: string[]) => texts.map((each) => ({ text: each }));
      expect((await readJson(store, 'task'))?.artifacts).toStrictEqual([
        {
          artifactId: 'b',
          parts: text('1', '2', '3'),
          name: 'B',
          metadata: { x: 1, y: 2 },
          extensions: ['urn:x'],
        },
        { artifactId: 'a', parts: text('1', '2'), description: 'first', metadata: { z: 1 } },
      ]);
      await append(store, 'task', chunk('b', '4'), chunk('b', '5', { append: true }));
      expect(await readJson(store, 'task')).toMatchObject({
        artifacts: [{ artifactId: 'b', parts: text('4', '5') }, { artifactId: 'a' }],
      });
      // As it was before, between, and after.
      for (const [asOf, texts] of [
        [3, ['1', '2']],
        [5, ['1', '2', '3']],
        [6, ['4']],
        [7, ['4', '5']],
      ] as const) {
        expect(await readJson(store, 'task', { asOf })).toMatchObject({
          artifacts: [{ artifactId: 'b', parts: text(...texts) }, {}],
        });
      }
      await store.close();
    });

    it('gives back any JSON as it came', async () => {
      const store = open(createClock().now);
      const text = 'nul \u0000 quote " \\ \u2028 😀 \u007f </script> \u001f';
      const data = JSON.parse(
        `{"__proto__":{"a":1},"":null,"1":[1e308,-0.5,12345678901234567890,${'['.repeat(90)}${']'.repeat(90)}],"${'k'.repeat(5000)}":${JSON.stringify(text)}}`,
      ) as Record<string, unknown>;
      const parts: [object, ...object[]] = [
        { text },
        { data },
        { data: null },
        { raw: 'AAAA' },
        { text: 'x'.repeat(1_000_000) },
      ];
      const more = { message: { parts, metadata: data } };
      const strings = taskData({ name: text, description: 'k'.repeat(5000) });
      await append(store, 'task', created({ data: strings }), message(text, 1, text), working());
      await append(store, 'task', working(undefined, more));
      await append(store, 'task', {
        ...chunk(text, ''),
        artifact: { artifactId: text, parts },
      } as never);
      await append(store, 'task', chunk(text, text, { append: true }));
      const read = await store.readTask('task', 'ann', EVERYTHING);
      const expected = {
        status: { message: { parts, metadata: data } },
        artifacts: [{ artifactId: text, parts: [...parts, { text }] }],
        history: [{ messageId: text, parts: [{ text }] }, { parts }],
        metadata: metadataOf(strings),
      };
      const task = JSON.parse(read!.json) as Record<string, unknown>;
      expect(task).toMatchObject(expected);
      const { message: said } = task.status as { message: Message };
      expect(JSON.stringify(said.metadata)).toBe(JSON.stringify(data));
      expect(await store.findAccepted(text, text)).toMatchObject({ taskId: 'task' });
      expect(await readJson(store, 'task', { asOf: 0 })).toMatchObject({
        metadata: metadataOf(strings),
      });
      await store.close();
    });

    it('shows a task as it was after any of its events', async () => {
      const step = fc.oneof(
        fc.constantFrom('say', 'quiet', 'park', 'send', 'tag'),
        fc.record({
          id: fc.constantFrom('a', 'b'),
          append: fc.boolean(),
          lastChunk: fc.boolean(),
        }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          const clock = createClock();
          const store = open(clock.now);
          await append(store, 'task', created(), message('first', 1));
          const known = new Set<string>();
          const snapshots = new Map<number, string>();
          for (const [n, each] of steps.entries()) {
            clock.advance(n % 3);
            await append(store, 'task', makeEvent(each, n, known));
            const { seq, json } = (await store.readTask('task', 'ann', EVERYTHING))!;
            snapshots.set(seq, json);
          }
          for (const [asOf, json] of snapshots) {
            const then = await store.readTask('task', 'ann', { ...EVERYTHING, asOf });
            expect(then).toMatchObject({ seq: asOf, json });
          }
          await store.close();
        }),
        { numRuns: 30 },
      );
    });
  });
}

function makeEvent(
  step: string | { id: string; append: boolean; lastChunk: boolean },
  n: number,
  known: Set<string>,
): TaskEvent {
  if (typeof step !== 'string') {
    const { id, lastChunk } = step;
    const append = step.append && known.has(id);
    known.add(id);
    return chunk(id, `${n}`, { append, lastChunk });
  }
  switch (step) {
    case 'send':
      return message(`m${n}`, undefined);
    case 'park':
      return waits(1, `parked ${n}`);
    case 'tag':
      return working(undefined, { data: taskData({ description: `${n}` }) });
    default:
      return working(step === 'say' ? `said ${n}` : undefined);
  }
}
