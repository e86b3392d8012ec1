/** What the reference answered, against what this server answers; each difference is explained in the guide. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BINDINGS } from '../../support/a2a-client.ts';
import type { Binding } from '../../support/a2a-client.ts';
import { findCorpus } from '../../support/corpora.ts';
import { repository } from '../../support/projects.ts';
import { startApp } from '../../support/server.ts';
import type { Difference } from './compare.ts';
import { compareAnswers, compareValues } from './compare.ts';
import { explains, readExplanations } from './explanations.ts';
import type { Answer, Json, Recording } from './recordings.ts';
import { readRecordings } from './recordings.ts';
import { replay } from './replay.ts';

interface Found extends Difference {
  readonly where: string;
}

const corpus = findCorpus('corpora/upstream');
const scenario = join(repository, 'test', 'conformance', 'upstream', 'reference-agent.yaml');
const explanations = readExplanations();
const recordings = corpus.missing ? [] : readRecordings(corpus.path);

/** What is different, a recording and a binding; found once. */
const found = new Map<string, Promise<Found[]>>();

function findDifferences(binding: Binding, recording: Recording): Promise<Found[]> {
  const key = `${binding} ${recording.name}`;
  const known = found.get(key) ?? compareWithServer(binding, recording);
  found.set(key, known);
  return known;
}

async function compareWithServer(binding: Binding, recording: Recording): Promise<Found[]> {
  const server = await startApp({ models: ['mock-a', 'mock-b'], scenario }, 'stopped');
  const answers = await replay(server.url, binding, recording);
  await server.stop();
  expect(server.complaints).toEqual([]);
  return recording.steps.flatMap(({ label, answer }, at) => {
    const expected = binding === 'jsonrpc' ? answer : withoutRpc(answer);
    const ours = binding === 'jsonrpc' ? answers[at] : withoutRpc(answers[at]);
    const where = `${recording.name}: ${label}`;
    return compareAnswers(expected, ours).map((difference) => ({ where, ...difference }));
  });
}

/** An answer without what HTTP+JSON has not, or has otherwise: codes of errors, and the status of HTTP. */
function withoutRpc(answer: Answer): Answer {
  if (answer?.body === undefined) return answer;
  const { error } = answer.body as { error?: Record<string, Json> };
  if (error === undefined) return answer;
  const rest = Object.entries(error).filter(([name]) => name !== 'code');
  return { status: 200, body: { error: Object.fromEntries(rest) } };
}

/** The differences that no row explains, a line each. */
function listUnexplained(differences: readonly Found[]): string[] {
  return differences
    .filter((each) => !explanations.some((row) => explains(row, each.where, each)))
    .map(({ where, field, reference, ours }) => `${where} | ${field} | ${reference} | ${ours}`);
}

describe('the guide to differences', () => {
  it('gives a rule or a section of A2A for each that is on purpose', () => {
    const own = explanations.filter(({ section }) => section === 'Ours on purpose');
    expect(own.length).toBeGreaterThan(10);
    const cited = /\b(?:[TEC]\d+|A\d+|A2A \d+(?:\.\d+)*)\b/;
    expect(own.filter(({ why }) => !cited.test(why))).toEqual([]);
  });
});

describe.skipIf(corpus.missing)(`recordings of the reference${corpus.note}`, () => {
  it('are 20', () => {
    expect(recordings).toHaveLength(20);
  });

  describe.each(BINDINGS)('%s', (binding) => {
    it.each(recordings)('$name: each difference is explained', async (recording) => {
      const differences = await findDifferences(binding, recording);
      expect(listUnexplained(differences)).toEqual([]);
    });
  });

  it('the agent card: each difference is explained', async () => {
    const { url } = await startApp();
    const text = await (await fetch(`${url}/.well-known/agent-card.json`)).text();
    const card = JSON.parse(text.replaceAll(`${url}/`, 'BASE/')) as Json;
    const recorded = JSON.parse(readFileSync(join(corpus.path, 'agent-card.json'), 'utf8')) as Json;
    const where = 'agent-card: get';
    const differences = compareValues(recorded, card, '').map((each) => ({ where, ...each }));
    found.set(where, Promise.resolve(differences));
    expect(listUnexplained(differences)).toEqual([]);
  });

  it('have every difference that the guide explains', async () => {
    for (const recording of recordings) await findDifferences('jsonrpc', recording);
    const all = (await Promise.all(found.values())).flat();
    const idle = explanations.filter((row) => !all.some((each) => explains(row, each.where, each)));
    expect(idle).toEqual([]);
  });
});
