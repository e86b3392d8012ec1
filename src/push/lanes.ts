/** Bounded concurrency in lanes, so that a lane whose work hangs leaves room for the others. */

/** Work that is run once its lane has room. */
export interface LaneJob {
  readonly lane: string;
  /** What it weighs while it waits: characters. */
  readonly weight: number;
  /** Runs it. Never rejects. `waited` is false when it began at once. */
  run(waited: boolean): Promise<void>;
}

/** How much may run and wait. */
export interface LaneLimits {
  /** Jobs that run in one lane. */
  readonly perLane: number;
  /** Jobs that run in all. */
  readonly total: number;
  /** Weight of all jobs that wait. */
  readonly waiting: number;
}

/** Runs jobs, each in its lane, in the order in which they came. */
export interface Lanes {
  /** Runs the job, at once or once its lane has room. Gives false, and does nothing, when too many wait. */
  add(job: LaneJob): boolean;
  /** How many more jobs may run. */
  readonly room: number;
  /** How many jobs run, and how many wait for their lane. */
  readonly size: { readonly running: number; readonly waiting: number };
  /** Resolves when a job has ended; at once when none runs. */
  settled(): Promise<void>;
}

interface Lane {
  running: number;
  readonly waiting: LaneJob[];
}

/** Lanes within limits. A job that waits takes none of the room in all until its lane has some. */
export function createLanes(limits: LaneLimits): Lanes {
  return new BoundedLanes(limits);
}

class BoundedLanes implements Lanes {
  readonly #limits: LaneLimits;
  readonly #lanes = new Map<string, Lane>();
  readonly #running = new Set<Promise<void>>();
  #waiting = 0;
  #weight = 0;

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  add(job: LaneJob): boolean {
    const lane = this.#lanes.get(job.lane) ?? { running: 0, waiting: [] };
    if (lane.running < this.#limits.perLane) {
      this.#lanes.set(job.lane, lane);
      this.#begin(lane, job, false);
      return true;
    }
    if (this.#weight + job.weight > this.#limits.waiting) return false;
    lane.waiting.push(job);
    this.#waiting += 1;
    this.#weight += job.weight;
    return true;
  }

  get room(): number {
    return Math.max(0, this.#limits.total - this.#running.size);
  }

  get size(): Lanes['size'] {
    return { running: this.#running.size, waiting: this.#waiting };
  }

  async settled(): Promise<void> {
    if (this.#running.size > 0) await Promise.race(this.#running);
  }

  #begin(lane: Lane, job: LaneJob, waited: boolean): void {
    lane.running += 1;
    const run = job.run(waited).finally(() => {
      this.#running.delete(run);
      lane.running -= 1;
      this.#beginNext(lane, job.lane);
    });
    this.#running.add(run);
  }

  #beginNext(lane: Lane, name: string): void {
    const next = lane.waiting.shift();
    if (next === undefined) {
      if (lane.running === 0) this.#lanes.delete(name);
      return;
    }
    this.#waiting -= 1;
    this.#weight -= next.weight;
    this.#begin(lane, next, true);
  }
}
