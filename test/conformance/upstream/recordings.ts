/** What the reference answered, as it was recorded: a file a scenario, a step a request. Ids and times are placeholders. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Any JSON value. */
export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** An answer in the form of JSON-RPC, without its envelope: one value or a stream's events. Undefined when none came. */
export type Answer =
  | { readonly status: number; readonly body: Json; readonly events?: undefined }
  | { readonly status: number; readonly events: readonly Json[]; readonly body?: undefined }
  | undefined;

/** A request, and what the reference answered. */
export interface Step {
  readonly label: string;
  readonly method: string;
  readonly params: Json;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: Answer;
}

/** A scenario, played from its first step to its last. */
export interface Recording {
  readonly name: string;
  readonly steps: readonly Step[];
}

interface RecordedStep {
  readonly label: string;
  readonly request: Pick<Step, 'method' | 'params' | 'headers'>;
  readonly response: {
    readonly status?: number;
    readonly body?: JsonRpc;
    readonly events?: readonly JsonRpc[];
    readonly noAnswer?: string;
  };
}

/** A response of JSON-RPC. */
export interface JsonRpc {
  readonly result?: Json;
  readonly error?: Readonly<Record<string, Json>>;
}

/** All recordings in a folder. */
export function readRecordings(folder: string): Recording[] {
  const files = readdirSync(folder).filter((name) => name !== 'agent-card.json');
  return files.map((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const { steps } = JSON.parse(text) as { steps: readonly RecordedStep[] };
    const name = basename(file, '.json');
    return { name, steps: steps.map(readStep) };
  });
}

function readStep({ label, request, response }: RecordedStep): Step {
  return { label, ...request, answer: readAnswer(response) };
}

function readAnswer({ status, body, events }: RecordedStep['response']): Answer {
  if (status === undefined) return undefined;
  if (events !== undefined) return { status, events: events.map(unwrap) };
  return body === undefined ? undefined : { status, body: unwrap(body) };
}

/** The result, or the error as the only member `error`. */
export function unwrap({ result, error }: JsonRpc): Json {
  return error === undefined ? result! : { error };
}
