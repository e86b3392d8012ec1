/** Webhooks that come with messages: whoever names one with each message is told each event once. */
import { beforeAll, describe, expect, test } from 'vitest';
import { openWebhook, WEBHOOK_ADDRESS } from '../push/webhook.ts';
import type { Client } from '../support/a2a-client.ts';
import { BINDINGS, createClient, messageOf } from '../support/a2a-client.ts';
import { startApp } from '../support/server.ts';

describe.each(BINDINGS)('a webhook that comes with each message over %s', (binding) => {
  let client: Client;

  beforeAll(async () => {
    const app = await startApp({ pushAllow: [WEBHOOK_ADDRESS] }, 'stopped');
    client = createClient(app.url, binding);
    return () => app.stop();
  });

  test('is one config, and is told each event once', async () => {
    const hook = await openWebhook();
    const configuration = { taskPushNotificationConfig: { url: hook.url, token: 'mine' } };
    const send = async (text: string, place: object = {}) =>
      (await client.call('SendMessage', { message: messageOf(text, place), configuration })).result;
    const { id: taskId, contextId } = (await send('one')).task!;
    // At the same time: neither may forget what the webhook has not been told yet.
    await Promise.all(['two', 'three', 'four'].map((text) => send(text, { taskId, contextId })));
    const { configs } = (await client.call('ListTaskPushNotificationConfigs', { taskId })).result;
    expect(configs?.map(({ url }) => url)).toEqual([hook.url]);
    const said = () =>
      hook.received.flatMap(({ body }) => {
        const { statusUpdate } = JSON.parse(body) as {
          statusUpdate?: { status: { message?: { parts: { text: string }[] } } };
        };
        return statusUpdate?.status.message?.parts.map(({ text }) => text) ?? [];
      });
    await expect.poll(() => said().length).toBeGreaterThanOrEqual(4);
    expect(said().toSorted()).toEqual(
      ['four', 'one', 'three', 'two'].map((text) => `You said: ${text}`),
    );
    await hook.close();
  });
});
