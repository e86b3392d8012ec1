/** The conformance probe against the server and two variants of its card, over both bindings. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { URI } from '@tiny-harness/contract/task/v1';
import { findCorpus } from '../support/corpora.ts';
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
      const start = async (name: string, card?: object) => {
        const path = join(folder, `${name}.json`);
        if (card !== undefined) writeFileSync(path, JSON.stringify(card));
        const { url } = await startServer({
          RATE_LIMIT: '0',
          PUSH_ALLOW: '127.0.0.2/32',
          SCENARIO: 'test/conformance/probe.yaml',
          ...(card === undefined ? {} : { CARD: path }),
        });
        return url;
      };
      const report = join(folder, 'report.json');
      await runProbe([
        `--base=${await start('plain')}`,
        `--min=${await start('minimal', minimal)}`,
        `--ext=${await start('demanding', demanding)}`,
        `--ext-uri=${URI}`,
        '--strict-extensions',
        '--webhook-host=127.0.0.2',
        `--json=${report}`,
      ]);
      const checks = JSON.parse(readFileSync(report, 'utf8')) as readonly Check[];
      const failed = checks.filter(({ status, level }) => status === 'FAIL' && level !== 'I');
      expect(
        failed.map(({ id, level, title, note }) => `${level} ${id}: ${title}: ${note}`),
      ).toEqual([]);
      // A probe that stopped early must not pass for a clean one.
      expect(checks.filter(({ status }) => status === 'pass').length).toBeGreaterThan(250);
    },
  );
});
