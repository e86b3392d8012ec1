import { describe, expect, it } from 'vitest';
import { scheduleRetry } from '../../src/push/backoff.ts';

const now = Date.UTC(2026, 0, 1);
const wait = (attempts: number, random: number, retryAfter?: string) =>
  scheduleRetry({ attempts, retryAfter, now, random }) - now;

describe('scheduleRetry', () => {
  it('doubles the longest wait with each attempt, up to five minutes', () => {
    const longest = [1, 2, 3, 4, 8, 9, 100].map((attempts) => wait(attempts, 1));
    expect(longest).toEqual([2_000, 4_000, 8_000, 16_000, 256_000, 300_000, 300_000]);
  });

  it('waits any time up to that', () => {
    expect([wait(3, 0), wait(3, 0.25), wait(3, 0.5)]).toEqual([0, 2_000, 4_000]);
  });

  it.each([
    ['7', 7_000],
    ['0', 1_000],
    ['86400', 300_000],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 1_000],
    ['soon', 1_000],
    ['-5', 1_000],
  ])('honours Retry-After: %s', (retryAfter, expected) => {
    expect(wait(1, 0.5, retryAfter)).toBe(expected);
  });
});
