/**
 * A server is killed and stopped at random while conversations go on that use what an agent has: a plan, questions, sub-tasks and
 * theirs, a participant's task, a user interface. What comes of them is what comes of one that nothing disturbs: a turn
 * that is run again does nothing twice, and says nothing twice.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toStreamResponse, toTaskMetadata } from '../../src/extensions/wire.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { effort } from '../properties/effort.ts';
import { createFolder, startServer } from '../support/server.ts';
import { createChance, MortalServer, pause } from './mortal-server.ts';
import { holdTrip, readOutcome } from './trip.ts';

const RUNS = 2 * effort;
/** Conversations at a time. */
const TRIPS = 6;
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_130);

const settings = (database: string) => ({
  DATABASE: database,
  SCENARIO: 'test/kill/conversations.yaml',
  // Some of the sub-tasks have to wait for their turn.
  SUBTASK_PARALLEL: '3',
  DRAIN_TIMEOUT: '20ms',
  LOG_LEVEL: 'error',
});

/** Attempts of the turns that run, read in the file itself. */
async function readAttempts(database: string): Promise<number[]> {
  const store = openSqliteStore({ path: database, wire: { toStreamResponse, toTaskMetadata } });
  const running = await store.findLostTurns(0, () => true, 1000);
  await store.close();
  return running.map(({ attempt }) => attempt);
}

/** Stops it in the middle of its work, too early for turns to end: they are given back. */
async function stopOnce(server: MortalServer, database: string): Promise<number> {
  const attempts = await readAttempts(database);
  await server.stop();
  return attempts.length;
}

/** Kills it, but not in a turn that was cut off before: such a one would fail. Resolves with how many turns were cut. */
async function killOnce(server: MortalServer, database: string): Promise<number> {
  for (;;) {
    const attempts = await readAttempts(database);
    if (attempts.every((attempt) => attempt === 1)) {
      await server.kill();
      return attempts.length;
    }
    await pause(5);
  }
}

/** Holds conversations on a server that dies again and again. Resolves with their outcomes and how many turns were cut. */
async function disturb(chance: () => number) {
  const database = join(createFolder(), 'tasks.db');
  const server = new MortalServer(settings(database));
  await server.start();
  const work = Promise.all(Array.from({ length: TRIPS }, () => holdTrip(server, chance)));
  const over = work.then(
    () => true,
    () => true,
  );
  let [kills, cut] = [0, 0];
  while (!(await Promise.race([over, pause(30 + chance() * 220).then(() => false)]))) {
    const end = chance() < 0.25 ? stopOnce : killOnce;
    cut += await end(server, database);
    kills += 1;
    await server.start();
  }
  const trips = await work;
  const outcomes = await Promise.all(trips.map((id) => readOutcome(server, id)));
  await server.kill();
  return { outcomes, kills, cut };
}

async function readUndisturbed(): Promise<unknown[]> {
  const { url } = await startServer(settings(':memory:'));
  const place = { url: () => Promise.resolve(url) };
  return readOutcome(place, await holdTrip(place, createChance(SEED)));
}

test(
  `the outcome of ${RUNS * TRIPS} conversations is that of an undisturbed one`,
  { timeout: 60_000 + RUNS * 60_000 },
  async () => {
    const undisturbed = await readUndisturbed();
    // The trip, hotel, prices, money, ticket, bags.
    expect(undisturbed).toHaveLength(6);
    for (let run = 0; run < RUNS; run += 1) {
      const { outcomes, kills, cut } = await disturb(createChance(SEED + run));
      for (const outcome of outcomes) expect(outcome).toEqual(undisturbed);
      console.info(`${kills} kills, ${cut} turns cut off`);
      expect(cut).toBeGreaterThan(5);
    }
  },
);
