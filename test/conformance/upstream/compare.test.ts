import { expect, it } from 'vitest';
import { compareAnswers } from './compare.ts';
import { explains } from './explanations.ts';

const update = (state: string, more = {}) => ({ statusUpdate: { status: { state }, ...more } });
const task = (state: string) => ({ task: { status: { state } } });
const stream = (...events: object[]) => ({ status: 200, events: events as never[] });
const value = (body: object, status = 200) => ({ status, body: body as never });

it('finds nothing in equal answers, whatever the order of members', () => {
  const left = value({ a: 1, b: [{ c: null }] });
  expect(compareAnswers(left, value({ b: [{ c: null }], a: 1 }))).toEqual([]);
  const events = stream(task('WORKING'), update('COMPLETED'));
  expect(compareAnswers(events, events)).toEqual([]);
  expect(compareAnswers(undefined, undefined)).toEqual([]);
});

it('finds every field that differs, and what only one has', () => {
  const left = value({ a: 1, list: [1, 2], history: [{ messageId: 'x' }, { messageId: 'y' }] });
  const right = value({ a: '1', list: [1], history: [{ messageId: 'y' }], b: '' }, 201);
  expect(compareAnswers(left, right)).toEqual([
    { field: 'http', reference: '200', ours: '201' },
    { field: 'a', reference: '1', ours: '1' },
    { field: 'list[1]', reference: '2', ours: '–' },
    { field: 'history[x]', reference: '{"messageId":"x"}', ours: '–' },
    { field: 'b', reference: '–', ours: '""' },
  ]);
});

it('pairs the events that both streams have', () => {
  const left = stream(update('WORKING'), update('INPUT_REQUIRED', { text: 'a' }), task('X'));
  const right = stream(task('X'), update('INPUT_REQUIRED', { text: 'b' }), update('COMPLETED'));
  expect(compareAnswers(left, right)).toEqual([
    { field: 'stream', reference: '–', ours: 'task X' },
    { field: 'stream', reference: 'statusUpdate WORKING', ours: '–' },
    { field: 'statusUpdate.text', reference: 'a', ours: 'b' },
    { field: 'stream', reference: '–', ours: 'statusUpdate COMPLETED' },
    { field: 'stream', reference: 'task X', ours: '–' },
  ]);
});

it('tells an answer from none and from one of another kind', () => {
  const refused = value({ error: { message: 'No.' } });
  const difference = { field: 'answer', reference: 'No.', ours: 'statusUpdate WORKING' };
  expect(compareAnswers(refused, stream(update('WORKING')))).toEqual([difference]);
  expect(compareAnswers(undefined, value({}))).toEqual([
    { field: 'answer', reference: '–', ours: 'a value' },
  ]);
});

it('takes a row for the differences that it speaks of, and no others', () => {
  const row = { where: '*: get', field: 'history[*]', reference: '–', ours: '{…}' };
  const whole = { ...row, why: '', section: '' };
  const difference = { field: 'history[x]', reference: '–', ours: '{"a":1}' };
  expect(explains(whole, 'ask: get', difference)).toBe(true);
  expect(explains(whole, 'ask: get it', difference)).toBe(false);
  expect(explains(whole, 'ask: get', { ...difference, field: 'history' })).toBe(false);
  expect(explains(whole, 'ask: get', { ...difference, reference: '' })).toBe(false);
  expect(explains(whole, 'ask: get', { ...difference, ours: '1' })).toBe(false);
});
