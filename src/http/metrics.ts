/** Counts what the server does, for Prometheus. */
import type * as PromClient from 'prom-client';

/** One call of an operation. */
interface Sample {
  readonly operation: string;
  readonly binding: string;
  /** `OK`, or the reason of the refusal. */
  readonly outcome: string;
  /** Until the answer, or until the first event of a stream. */
  readonly seconds: number;
}

/** What is asked for when metrics are read. */
export interface Gauges {
  /** Turns that this process runs. */
  runningTurns(): number;
  /** Push notifications that wait and that were given up. */
  countDeliveries(): Promise<{ readonly waiting: number; readonly dead: number }>;
}

/** Counters of a server. */
export interface Metrics {
  /** Counts a call. */
  record(sample: Sample): void;
  /** Everything in Prometheus' text format. */
  render(): Promise<{ readonly contentType: string; readonly body: string }>;
}

interface Recorder {
  readonly registry: PromClient.Registry;
  readonly record: (sample: Sample) => void;
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counters that are loaded with the first call, so that starting does not wait for their library. */
export function createMetrics(openStreams: () => number, gauges: Gauges | undefined): Metrics {
  const early: Sample[] = [];
  let recorder: Recorder | undefined;
  let loading: Promise<Recorder> | undefined;
  const load = async (): Promise<Recorder> => {
    recorder = await createRecorder(openStreams, gauges);
    for (const sample of early.splice(0)) recorder.record(sample);
    return recorder;
  };
  return {
    record(sample) {
      if (recorder !== undefined) recorder.record(sample);
      else {
        early.push(sample);
        loading ??= load();
      }
    },
    async render() {
      loading ??= load();
      const { registry } = await loading;
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}

async function createRecorder(
  openStreams: () => number,
  gauges: Gauges | undefined,
): Promise<Recorder> {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } =
    await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'tiny_harness_requests_total',
    help: 'Calls of A2A operations, by outcome: OK or the reason of the refusal',
    labelNames: ['operation', 'binding', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'tiny_harness_request_duration_seconds',
    help: 'Time until the answer, or until a stream begins',
    labelNames: ['operation', 'binding'],
    buckets: BUCKETS,
    registers,
  });
  new Gauge({
    name: 'tiny_harness_open_streams',
    help: 'Event streams that are being written',
    registers,
    collect() {
      this.set(openStreams());
    },
  });
  if (gauges !== undefined) addGauges(Gauge, registers, gauges);
  const record = ({ operation, binding, outcome, seconds }: Sample): void => {
    requests.inc({ operation, binding, outcome });
    durations.observe({ operation, binding }, seconds);
  };
  return { registry, record };
}

function addGauges(
  Gauge: typeof PromClient.Gauge,
  registers: PromClient.Registry[],
  gauges: Gauges,
): void {
  new Gauge({
    name: 'tiny_harness_running_turns',
    help: 'Turns that this process runs',
    registers,
    collect() {
      this.set(gauges.runningTurns());
    },
  });
  new Gauge({
    name: 'tiny_harness_push_deliveries',
    help: 'Push notifications that wait and that were given up',
    labelNames: ['state'],
    registers,
    async collect() {
      const { waiting, dead } = await gauges.countDeliveries();
      this.set({ state: 'waiting' }, waiting);
      this.set({ state: 'dead' }, dead);
    },
  });
}
