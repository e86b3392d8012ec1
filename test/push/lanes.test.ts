import { describe, expect, it } from 'vitest';
import type { LaneJob } from '../../src/push/lanes.ts';
import { createLanes } from '../../src/push/lanes.ts';

/** Jobs that end when they are told to, and a list of those that began. */
function createJobs() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const create = (name: string, lane: string, weight = 1): LaneJob => ({
    lane,
    weight,
    run: (waited) => {
      begun.push(waited ? `${name} waited` : name);
      return new Promise((resolve) => ends.set(name, resolve));
    },
  });
  const end = async (name: string) => {
    ends.get(name)!();
    await new Promise((done) => setImmediate(done));
  };
  return { begun, create, end };
}

describe('lanes', () => {
  it('run so many jobs a lane, and the others in order as these end', async () => {
    const lanes = createLanes({ perLane: 2, total: 10, waiting: 100 });
    const { begun, create, end } = createJobs();
    for (const name of ['a1', 'a2', 'a3', 'a4']) expect(lanes.add(create(name, 'a'))).toBe(true);
    lanes.add(create('b1', 'b'));
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    expect(lanes.size).toEqual({ running: 3, waiting: 2 });
    expect(lanes.room).toBe(7);
    await end('a2');
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3 waited', 'a4 waited']);
    for (const name of ['a3', 'a4', 'b1']) await end(name);
    expect(lanes.size).toEqual({ running: 0, waiting: 0 });
    expect(lanes.room).toBe(10);
  });

  it('refuse what would weigh too much while it waits', async () => {
    const lanes = createLanes({ perLane: 1, total: 10, waiting: 10 });
    const { begun, create, end } = createJobs();
    expect(lanes.add(create('a1', 'a', 1_000))).toBe(true);
    expect(lanes.add(create('a2', 'a', 8))).toBe(true);
    expect(lanes.add(create('a3', 'a', 3))).toBe(false);
    expect(lanes.add(create('b1', 'b', 1_000))).toBe(true);
    await end('a1');
    expect(lanes.add(create('a4', 'a', 3))).toBe(true);
    expect(begun).toEqual(['a1', 'b1', 'a2 waited']);
  });

  it('tell when a job has ended', async () => {
    const lanes = createLanes({ perLane: 1, total: 10, waiting: 10 });
    const { create, end } = createJobs();
    await lanes.settled();
    lanes.add(create('a1', 'a'));
    let settled = false;
    const done = lanes.settled().then(() => (settled = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toBe(false);
    await end('a1');
    await done;
  });
});
