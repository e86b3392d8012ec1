import { expect, test } from 'vitest';
import type { IncomingMessage } from 'node:http';
import { readServiceParameters, requireOneParticipant } from '../../src/http/service-parameters.ts';

test('nothing asked for', () => {
  expect(readServiceParameters({}, '')).toEqual({
    version: undefined,
    extensions: [],
    participant: undefined,
    lastEventId: undefined,
  });
});

test.each([
  [{ 'a2a-version': '1.0' }, '', '1.0'],
  [{ 'a2a-version': '' }, '', ''],
  [{}, 'A2A-Version=1.0', '1.0'],
  [{}, 'x=1&a2a-version=1.0.3', '1.0.3'],
  [{ 'a2a-version': '9.9' }, 'A2A-Version=1.0', '9.9'],
  [{}, 'version=1.0', undefined],
])('the version of %j and ?%s', (headers: Record<string, string>, query, version) => {
  expect(readServiceParameters(headers, query).version).toBe(version);
});

test.each([
  ['a', ['a']],
  ['a,b', ['a', 'b']],
  [' a ,\tb , ', ['a', 'b']],
  [',', []],
])('the extensions of %j', (header, extensions) => {
  expect(readServiceParameters({ 'a2a-extensions': header }, '').extensions).toEqual(extensions);
});

test('an empty participant is nobody, an empty cursor none', () => {
  const headers = { 'x-participant-id': '', 'last-event-id': '' };
  expect(readServiceParameters(headers, '')).toMatchObject({
    participant: undefined,
    lastEventId: undefined,
  });
});

test('two headers that name a participant are refused, one with a comma is not', () => {
  const request = (...values: string[]) =>
    ({
      headers: { 'x-participant-id': values.join(', ') },
      rawHeaders: values.flatMap((value) => ['X-Participant-Id', value]),
    }) as unknown as IncomingMessage;
  requireOneParticipant(request('alice'));
  requireOneParticipant(request('Doe, Jane'));
  expect(() => {
    requireOneParticipant(request('alice', 'bob'));
  }).toThrow('X-Participant-Id names one participant; the header is there more than once');
});
