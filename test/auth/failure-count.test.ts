import { expect, test } from 'vitest';
import { createFailureCount } from '../../src/auth/failure-count.ts';

function create(most: number) {
  const clock = { now: 1_000_000 };
  return { clock, failures: createFailureCount(most, () => clock.now) };
}

function fail(failures: ReturnType<typeof create>['failures'], address: string, times: number) {
  for (let n = 0; n < times; n += 1) failures.add(address);
}

test('an address that fails too often waits until its minute is over', () => {
  const { clock, failures } = create(3);
  fail(failures, '192.0.2.1', 2);
  expect(failures.waitFor('192.0.2.1')).toBe(0);
  clock.now += 20_000;
  failures.add('192.0.2.1');
  expect(failures.waitFor('192.0.2.1')).toBe(40_000);
  expect(failures.waitFor('192.0.2.2')).toBe(0);
  clock.now += 40_000;
  expect(failures.waitFor('192.0.2.1')).toBe(0);
  failures.add('192.0.2.1');
  expect(failures.waitFor('192.0.2.1')).toBe(0);
});

test('0 is no limit, and loopback has none', () => {
  const unlimited = create(0).failures;
  fail(unlimited, '192.0.2.1', 100);
  expect(unlimited.waitFor('192.0.2.1')).toBe(0);
  const { failures } = create(1);
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
    fail(failures, address, 5);
    expect(failures.waitFor(address)).toBe(0);
  }
});

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['192.0.2.1', '::ffff:192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
])('%s and %s count as one: %s', (first, second, same) => {
  const { failures } = create(1);
  failures.add(first);
  expect(failures.waitFor(second) > 0).toBe(same);
});

test('memory is bounded: the oldest of many addresses is forgotten', () => {
  const { failures } = create(1);
  failures.add('192.0.2.1');
  for (let n = 0; n < 10_000; n += 1) failures.add(`10.0.${n >> 8}.${n & 255}`);
  expect(failures.waitFor('192.0.2.1')).toBe(0);
  expect(failures.waitFor('10.0.0.0')).toBeGreaterThan(0);
});
