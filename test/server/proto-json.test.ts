/** Requests as ProtoJSON: what a null means. */
import { expect, test } from 'vitest';
import type { UserMessage } from '../support/a2a-client.ts';
import { BINDINGS, createClient, messageOf } from '../support/a2a-client.ts';
import { startApp } from '../support/server.ts';

test.each(BINDINGS)(
  'a member that is null is left out; in what is free, null is a value: over %s',
  async (binding) => {
    const client = createClient((await startApp({})).url, binding);
    const metadata = { a: null, b: { c: [null] } };
    const parts = [
      { text: 'hello', mediaType: null },
      { data: { d: null }, metadata },
      { data: null },
    ];
    const unset = { taskId: null, contextId: null, extensions: null, referenceTaskIds: null };
    const message = { ...messageOf(''), ...unset, parts, metadata } as unknown as UserMessage;
    const answer = await client.call('SendMessage', {
      message,
      configuration: null,
      metadata: null,
    });
    const [kept] = answer.result.task!.history!;
    expect(kept).toMatchObject({ metadata });
    expect(kept!.parts).toEqual([
      { text: 'hello' },
      { data: { d: null }, metadata },
      { data: null },
    ]);
    expect(Object.keys(kept!)).not.toContain('extensions');
  },
);
