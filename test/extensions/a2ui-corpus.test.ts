/** A2UI's own test cases and examples: what it calls valid is accepted, what it calls invalid is refused (rule E8). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createUiEventPart, isUiMessage } from '@tiny-harness/contract/a2ui/v0.9.1';
import type { UiEvent } from '@tiny-harness/contract/a2ui/v0.9.1';
import { describe, expect, it } from 'vitest';
import type { Surface } from '../../src/core/surface.ts';
import { a2uiBehaviour, applyUiMessages } from '../../src/extensions/a2ui/index.ts';
import { findCorpus } from '../support/corpora.ts';
import { apply, surface, text } from './a2ui-fixture.ts';

const corpus = findCorpus('corpora/a2ui-0.9');

interface Suite {
  readonly schema: string;
  readonly tests: readonly { description: string; valid: boolean; data: unknown }[];
}

interface Example {
  readonly name: string;
  readonly messages: readonly unknown[];
}

const list = (folder: string) =>
  corpus.missing ? [] : readdirSync(join(corpus.path, folder)).sort();
const read = (...path: string[]) => readFileSync(join(corpus.path, ...path), 'utf8');

const cases = list('cases')
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => {
    const { schema, tests } = JSON.parse(read('cases', file)) as Suite;
    return tests.map((test) => ({ file, schema, ...test }));
  });
const examples = list('examples').map((file) => JSON.parse(read('examples', file)) as Example);

/**
 * The cases are single messages; most update a surface that another message would have created, with components that
 * others would have brought. Here it exists, with a text for every id that the message may name.
 */
function surfaceFor(data: unknown): Surface[] {
  const { createSurface, ...others } = data as Record<string, { surfaceId?: unknown } | undefined>;
  if (createSurface !== undefined) return [];
  const ids = new Set(['root', ...listStrings(data)]);
  const surfaceIds = Object.values(others).map((each) => each?.surfaceId);
  return surfaceIds
    .filter((id) => typeof id === 'string')
    .map((id) =>
      surface(
        id,
        [...ids].map((each) => text(each)),
      ),
    );
}

function listStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(listStrings);
}

const accepts = (schema: string, data: unknown) => {
  if (schema !== 'client_to_server.json') return applyUiMessages(surfaceFor(data), [data]).ok;
  const parts = [createUiEventPart(data as UiEvent)] as const;
  return a2uiBehaviour.check({ messageId: 'm', role: 'ROLE_USER', parts: [...parts] }).length === 0;
};

describe.skipIf(corpus.missing)(`the cases of A2UI${corpus.note}`, () => {
  it('are all here', () => {
    expect(cases.length).toBe(76);
  });

  it.each(cases)('$file: $description', ({ schema, data, valid }) => {
    expect(accepts(schema, data)).toBe(valid);
  });
});

describe.skipIf(corpus.missing)(`the examples of A2UI${corpus.note}`, () => {
  it('are all here', () => {
    expect(examples.length).toBe(36);
  });

  it.each(examples)('$name', ({ messages }) => {
    expect(applyUiMessages([], messages)).toMatchObject({ ok: true });
  });

  it('in the form of a stream', () => {
    const lines = read('cases', 'contact_form_example.jsonl').trim().split('\n');
    const messages = lines.map((line) => JSON.parse(line) as unknown);
    expect(messages.every(isUiMessage)).toBe(true);
    expect(applyUiMessages([], messages)).toStrictEqual({ ok: true, changed: [] });
    const [left] = apply([], messages.slice(0, -1));
    expect(left?.components.length).toBe(25);
  });
});
