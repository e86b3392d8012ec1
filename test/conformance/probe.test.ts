/** The conformance probe against the server, two variants of its card and one with authentication, over both bindings. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { URI } from '@tiny-harness/contract/task/v1';
import { findCorpus } from '../support/corpora.ts';
import { writeTokens } from '../auth/token-file.ts';
import { createFolder, startServer } from '../support/server.ts';

/** A check of the probe, and how it went. */
interface Check {
  readonly id: string;
  readonly level: 'M' | 'S' | 'I';
  readonly title: string;
  readonly status: 'pass' | 'FAIL' | 'info' | 'skip';
  readonly note: string;
}

const probe = findCorpus('tools/a2a/probe.mjs');

const minimal = {
  capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
};
const demanding = {
  capabilities: {
    extendedAgentCard: true,
    extensions: [{ uri: 'https://example.com/ext/required/v1', required: true }],
  },
};

function runProbe(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const { pid } = execFile(process.execPath, [probe.path, ...args], (error, out) => {
      // Exit code 1 says that checks failed; the report says which.
      if (error === null || error.code === 1) resolve();
      else reject(new Error(`the probe (${pid}) broke: ${error.message}\n${out}`));
    });
  });
}

describe.skipIf(probe.missing)(`the conformance probe${probe.note}`, () => {
  test(
    'no check that the specification demands or advises fails',
    { timeout: 180_000 },
    async () => {
      const folder = createFolder();
      const tokens = writeTokens({ 'tok-a': 'alice', 'tok-b': 'bob' }, join(folder, 'tokens.json'));
      const start = async (
        name: string,
        card?: object,
        settings: Readonly<Record<string, string>> = {},
      ) => {
        const path = join(folder, `${name}.json`);
        if (card !== undefined) writeFileSync(path, JSON.stringify(card));
        const { url } = await startServer({
          RATE_LIMIT: '0',
          PUSH_ALLOW: '127.0.0.2/32',
          SCENARIO: 'test/conformance/probe.yaml',
          ...(card === undefined ? {} : { CARD: path }),
          ...settings,
        });
        return url;
      };
      const report = join(folder, 'report.json');
      await runProbe([
        `--base=${await start('plain')}`,
        `--min=${await start('minimal', minimal)}`,
        `--ext=${await start('demanding', demanding)}`,
        `--ext-uri=${URI}`,
        `--auth=${await start('auth', undefined, { AUTH: 'tokens', AUTH_TOKENS: tokens })}`,
        '--tok-a=tok-a',
        '--tok-b=tok-b',
        '--strict-extensions',
        '--webhook-host=127.0.0.2',
        `--json=${report}`,
      ]);
      const checks = JSON.parse(readFileSync(report, 'utf8')) as readonly Check[];
      const failed = checks.filter(({ status, level }) => status === 'FAIL' && level !== 'I');
      expect(
        failed.map(({ id, level, title, note }) => `${level} ${id}: ${title}: ${note}`),
      ).toEqual([]);
      const authenticated = checks.filter(({ id }) => /^(N\d|M7)/.test(id));
      expect(authenticated.map(({ status }) => status)).toEqual(Array(12).fill('pass'));
      // A probe that stopped early must not pass for a clean one.
      expect(checks.filter(({ status }) => status === 'pass').length).toBeGreaterThan(250);
    },
  );
});
