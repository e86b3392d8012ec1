/**
 * A surface from an agent to a person and back: A2UI's own renderer, in headless Chromium and on a page of another
 * origin, draws what this server streams, and what its user does arrives at the agent (rule E8). `SCREENSHOT=<file>`
 * keeps a picture of it.
 */
import { PARAMS } from '@tiny-harness/contract/a2ui/v0.9.1';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Agent, Turn } from '../../src/agents/port.ts';
import type { Stage } from '../support/browser.ts';
import { hasBrowser, startStage } from '../support/browser.ts';
import { startApp } from '../support/server.ts';

/** A client as small as one can be: it sends a text, draws what comes, and sends what the user does. */
const APPLICATION = `
import { A2uiSurface, basicCatalog } from '@a2ui/lit/v0_9';
import { MessageProcessor } from '@a2ui/web_core/v0_9';
import { createUiEventPart, readUiMessage, URI } from '@tiny-harness/contract/a2ui/v0.9.1';

const server = new URLSearchParams(location.search).get('server');
const version = 'v0.9';
const processor = new MessageProcessor([basicCatalog], (action) => {
  void send([createUiEventPart({ version, action })]);
});
processor.onSurfaceCreated((surface) => {
  const element = new A2uiSurface();
  element.surface = surface;
  document.body.append(element);
});
processor.onSurfaceDeleted((id) => {
  for (const element of document.querySelectorAll('a2ui-surface'))
    if (element.surface.id === id) element.remove();
});

let taskId;
async function send(parts) {
  const metadata = {
    a2uiClientCapabilities: processor.getClientCapabilities(),
    a2uiClientDataModel: processor.getClientDataModel(),
  };
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts, taskId, metadata };
  const response = await fetch(server, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'A2A-Version': '1.0',
      'A2A-Extensions': URI,
      'X-Participant-Id': 'ann',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } }),
  });
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const events = text.split('\\n\\n');
    text = events.pop();
    for (const event of events) hear(event);
  }
}

function hear(event) {
  const data = /^data: ?(.*)$/m.exec(event)?.[1];
  if (data === undefined) return;
  const { task, artifactUpdate, statusUpdate } = JSON.parse(data).result;
  taskId ??= task?.id;
  for (const part of artifactUpdate?.artifact.parts ?? []) {
    const message = readUiMessage(part);
    if (message?.ok) processor.processMessages([message.value]);
  }
  const said = statusUpdate?.status.message?.parts.map(({ text }) => text).join('');
  if (said) document.title = said;
}

await send([{ text: 'I want to order.' }]);
`;

const surfaceId = 'order';
const version = 'v0.9';
const FORM = [
  {
    version,
    createSurface: { surfaceId, catalogId: PARAMS.supportedCatalogIds[0], sendDataModel: true },
  },
  {
    version,
    updateComponents: {
      surfaceId,
      components: [
        { id: 'root', component: 'Card', child: 'form' },
        { id: 'form', component: 'Column', children: ['title', 'name', 'sizes', 'send'] },
        { id: 'title', component: 'Text', text: 'Your order', variant: 'h2' },
        { id: 'name', component: 'TextField', label: 'Name', value: { path: '/name' } },
        { id: 'sizes', component: 'Row', children: { componentId: 'size', path: '/sizes' } },
        { id: 'size', component: 'Text', text: { path: 'label' } },
        {
          id: 'send',
          component: 'Button',
          child: 'send-label',
          variant: 'primary',
          action: { event: { name: 'send', context: { who: { path: '/name' } } } },
        },
        { id: 'send-label', component: 'Text', text: 'Send it' },
      ],
    },
  },
  {
    version,
    updateDataModel: {
      surfaceId,
      value: { name: '', sizes: [{ label: 'Small' }, { label: 'Large' }] },
    },
  },
];

/** Shows the form, and takes it away once something was done on it. */
const heard: string[] = [];
const agent: Agent = {
  lifecycle: 'conversation',
  async run(turn: Turn) {
    heard.push(turn.text);
    const messages = turn.number === 1 ? FORM : [{ version, deleteSurface: { surfaceId } }];
    const { isError, text } = await turn.call({ id: 'show', name: 'emit_ui', input: { messages } });
    if (isError) throw new Error(text);
    const reply = turn.number === 1 ? 'What shall it be?' : 'Ordered.';
    return { end: 'input-required', parts: [{ text: reply }] };
  },
};

let stage: Stage;

beforeAll(async () => {
  if (hasBrowser) stage = await startStage(APPLICATION);
}, 60_000);

afterAll(async () => {
  if (hasBrowser) await stage.close();
});

test.skipIf(!hasBrowser)(
  'a surface is drawn, and its button reaches the agent',
  { timeout: 60_000 },
  async () => {
    const { url } = await startApp({ corsOrigins: [stage.origin] }, 'test-ends', { agent });
    const { page, faults } = await stage.open(`?server=${encodeURIComponent(url)}`);
    await page.getByText('Your order').waitFor();
    expect(await page.getByText(/^(Small|Large)$/).allTextContents()).toEqual(['Small', 'Large']);
    await page.locator('input').fill('Ann');
    if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.waitForFunction('document.title === "Ordered."');
    expect(heard).toEqual([
      'I want to order.',
      [
        '[A2UI action] send on surface order from send: {"who":"Ann"}',
        '[A2UI data model of surface order] {"name":"Ann","sizes":[{"label":"Small"},{"label":"Large"}]}',
      ].join('\n'),
    ]);
    expect(await page.locator('a2ui-surface').count()).toBe(0);
    expect(faults).toEqual([]);
  },
);
