/**
 * The same wire: the task schema is the committed one, and what the reference implementation sends and
 * accepts is valid here, what it refuses for its shape is not.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MetadataCarrier, Part, Result } from '@tiny-harness/contract';
import { a2uiV0_9_1, channelV1, commandsV1, statusV1, taskV1 } from '@tiny-harness/contract';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../codegen/json.ts';
import { isArray, isObject } from '../../codegen/json.ts';
import { findCorpus } from '../support/corpora.ts';
import { repository } from '../support/projects.ts';

const own = readJson(join(repository, 'schemas/extensions/task/v1/schema.json'));

function readJson(path: string): JsonObject {
  return JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
}

/** What a validator does not look at; `default` stays, for it goes over the wire. */
const ANNOTATIONS = new Set(['$schema', '$id', '$comment', 'title', 'description', 'examples']);

/** A schema without annotations and without saying that an open object is open. */
function essence(schema: Json): Json {
  if (isArray(schema)) return schema.map(essence);
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
    if (ANNOTATIONS.has(keyword) || keyword === 'readOnly') return [];
    if (keyword === 'additionalProperties' && value === true) return [];
    const isMap = (keyword === 'properties' || keyword === '$defs') && isObject(value);
    return [[keyword, isMap ? mapValues(value) : essence(value)]];
  });
  return Object.fromEntries(entries);
}

/** Names of members are no keywords. */
function mapValues(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, essence(schema)]));
}

function sorted(value: Json): Json {
  if (isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name]!)]));
}

function fingerprint(schema: Json): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(essence(schema))))
    .digest('hex');
}

/** Of the schema that this contract has to keep to: what is written down differs in annotations only. */
const FINGERPRINT = '47af32b992b0f2d7935740030df9ad3246946edb2da9a7f9f28cfb6f8944e84a';

const published = findCorpus('spec/task.schema.json');

describe('the task schema', () => {
  it('says of values what was published', () => {
    expect(fingerprint(own)).toBe(FINGERPRINT);
  });

  it.skipIf(published.missing)(`is the published one${published.note}`, () => {
    const committed = readJson(published.path);
    expect(essence(own)).toEqual(essence(committed));
    expect(fingerprint(committed)).toBe(FINGERPRINT);
  });

  it('keeps three members to the server', () => {
    const properties = own.properties as Record<string, JsonObject>;
    const kept = Object.keys(properties).filter((name) => properties[name]?.readOnly === true);
    expect(kept).toEqual(['lifecycle', 'model', 'reasoning_effort']);
  });
});

interface Step {
  readonly label: string;
  readonly request?: JsonObject;
  readonly response?: JsonObject;
}

/** A value that some extension describes, with what its reader makes of it. */
interface Reading {
  readonly what: string;
  readonly place: string;
  readonly value: Json;
  readonly result: Result<unknown>;
  /** Whether the reference refused it for its shape. */
  readonly misshapen: boolean;
}

type Side = 'client' | 'server';

const carried: readonly (readonly [
  what: string,
  key: string,
  read: (carrier: MetadataCarrier) => Result<unknown> | undefined,
])[] = [
  ['task', taskV1.TASK_EXTENSION_KEY, taskV1.readTaskExtension],
  ['sender', taskV1.SENDER_KEY, taskV1.readSender],
  ['interrupt', taskV1.INTERRUPT_KEY, taskV1.readInterrupt],
  ['sub-state', statusV1.SUB_STATE_KEY, statusV1.readSubState],
  ['command', commandsV1.REPLIED_COMMAND_KEY, commandsV1.readRepliedCommand],
  ['created task', commandsV1.CREATED_TASK_KEY, commandsV1.readCreatedTask],
];

const parts: readonly (readonly [
  what: string,
  side: Side | 'both',
  read: (part: Part) => Result<unknown> | undefined,
])[] = [
  ['event', 'both', taskV1.readEventEnvelope],
  ['channel message', 'both', channelV1.readChannelMessage],
  ['surface', 'server', a2uiV0_9_1.readUiMessage],
  ['action', 'client', a2uiV0_9_1.readUiEvent],
];

/** Reads everything that an extension describes in a request or an answer. */
function readAll(value: Json, side: Side, place: string, misshapen: boolean): readonly Reading[] {
  if (isArray(value)) {
    return value.flatMap((item, index) =>
      readAll(item, side, `${place}/${String(index)}`, misshapen),
    );
  }
  if (!isObject(value)) return [];
  const metadata = isObject(value.metadata) ? value.metadata : {};
  const found = [
    ...carried
      .filter(([, key]) => Object.hasOwn(metadata, key))
      .map(([what, key, read]) => ({ what, value: metadata[key]!, result: read(value)! })),
    ...parts.flatMap(([what, from, read]) => {
      const result = from === 'both' || from === side ? read(value) : undefined;
      return result === undefined ? [] : [{ what, value: value.data!, result }];
    }),
  ].map((each) => ({ ...each, place, misshapen }));
  const inside = Object.entries(value).flatMap(([name, member]) =>
    readAll(member, side, `${place}/${name}`, misshapen),
  );
  return [...found, ...inside];
}

/** How the reference words what has the wrong shape; what a task does not allow it words otherwise. */
const MISSHAPEN = /\binvalid (?:event envelope|task extension): |\ba2ui\.invalid: /;

const recordings = findCorpus('corpora/upstream');
const CARD = 'agent-card.json';

describe.skipIf(recordings.missing)(`the recorded wire${recordings.note}`, () => {
  const files = recordings.missing
    ? []
    : readdirSync(recordings.path).filter((file) => file.endsWith('.json') && file !== CARD);
  const readings = files.flatMap((file) => {
    const { steps } = readJson(join(recordings.path, file)) as unknown as { steps: Step[] };
    return steps.flatMap((step) => {
      const place = `${file}: ${step.label}`;
      const wrong = MISSHAPEN.test(JSON.stringify(step.response ?? null));
      return [
        ...readAll(step.request ?? null, 'client', place, wrong),
        ...readAll(step.response ?? null, 'server', place, false),
      ];
    });
  });
  const wrong = readings.filter(({ misshapen }) => misshapen);
  const good = readings.filter(({ misshapen }) => !misshapen);

  it('is valid', () => {
    const refused = good.filter(({ result }) => !result.ok);
    expect(refused.map(({ place, value }) => `${place} ${JSON.stringify(value)}`)).toEqual([]);
  });

  it('is read as a whole', () => {
    const counts: Record<string, number> = {};
    for (const { what } of good) counts[what] = (counts[what] ?? 0) + 1;
    expect(counts).toEqual({
      task: 51,
      'sub-state': 62,
      sender: 2,
      event: 22,
      'channel message': 2,
      surface: 2,
      action: 3,
      command: 19,
      'created task': 7,
    });
  });

  it('is refused where the reference refuses its shape, and with a reason', () => {
    const reasons = new Map([
      ['bad-envelopes.json: no payload', /^payload is missing/],
      ['bad-envelopes.json: unknown kind', /^kind must be one of .*"nope"$/],
      ['bad-envelopes.json: extra field', /^"x" /],
      ['bad-envelopes.json: unknown property', /^payload: "colour" /],
      ['bad-envelopes.json: bad role', /^payload\/participants\/0\/role .*"owner"$/],
      ['complete.json: unknown action', /^action must be "complete".*"abort"$/],
      ['complete.json: with payload', /^"payload" /],
      ['ui.json: not an action', /action or error is missing/],
    ]);
    const steps = wrong.map(({ place }) => place.slice(0, place.indexOf('/')));
    expect(steps).toEqual([...reasons.keys()]);
    wrong.forEach(({ result }, index) => {
      if (result.ok) throw new Error(`valid: ${steps[index]!}`);
      const messages = result.errors.map(({ message }) => message).join('; ');
      expect(messages).toMatch(reasons.get(steps[index]!)!);
    });
  });

  it('has a card whose params are valid', () => {
    const card = readJson(join(recordings.path, CARD));
    expect(commandsV1.readParams(card)).toMatchObject({ ok: true });
    expect(a2uiV0_9_1.readParams(card)).toMatchObject({ ok: true });
  });
});
