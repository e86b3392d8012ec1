/** The official Python SDK's client against the server, over both of its HTTP transports. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StreamResponse } from '@tiny-harness/contract/a2a';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openWebhook } from '../push/webhook.ts';
import { repository } from '../support/projects.ts';
import { startServer } from '../support/server.ts';
import { preparePython } from './python-environment.ts';

/** A check of the script, and what went wrong. */
interface Check {
  readonly check: string;
  readonly error: string | null;
}

const script = join(repository, 'test', 'interop', 'python', 'client.py');
const python = await preparePython();
const missing = 'missing' in python ? ` (skipped: ${python.missing})` : '';

describe.skipIf('missing' in python)(`the Python SDK${missing}`, () => {
  test.each(['JSONRPC', 'HTTP+JSON'])('over %s', { timeout: 120_000 }, async (binding) => {
    if ('missing' in python) return;
    const webhook = await openWebhook();
    onTestFinished(() => webhook.close());
    const { url } = await startServer({
      SCENARIO: 'test/conformance/probe.yaml',
      PUSH_ALLOW: '127.0.0.2/32',
    });
    const args = [script, url, binding, webhook.url];
    const { stdout } = await promisify(execFile)(python.interpreter, args, { timeout: 110_000 });
    const lines = stdout.split('\n').filter((line) => line !== '');
    const checks = lines.map((line) => JSON.parse(line) as Check);
    expect(checks.filter(({ error }) => error !== null)).toEqual([]);
    expect(checks).toHaveLength(11);

    const received = await webhook.got(3);
    const kinds = received.map(({ body }) => Object.keys(JSON.parse(body) as StreamResponse));
    expect(kinds).toEqual([['statusUpdate'], ['artifactUpdate'], ['statusUpdate']]);
  });
});
