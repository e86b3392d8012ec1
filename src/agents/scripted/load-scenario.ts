/** Reading a scenario file. It brings a YAML parser along, so only what plays a scenario imports it. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { parseScenario } from '@tiny-harness/contract/scenario';
import type { Fault, PlacedFault } from '../../yaml/faults.ts';
import { formatFaults, readPointer } from '../../yaml/faults.ts';
import { readYaml } from '../../yaml/source.ts';
import { findFaults } from './faults.ts';
import type { Script } from './script.ts';
import { createScript } from './script.ts';

/** The most bytes that a scenario file may have. */
const MAX_BYTES = 1024 * 1024;

/** A scenario that cannot be played. Its message is for a person: each fault with its place and what to do. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

/**
 * Reads and checks the scenario file at a path.
 *
 * @throws ScenarioError when there is no such file, or it is no scenario; the message lists every fault
 */
export async function loadScenario(path: string): Promise<Script> {
  return readScenario(decode(await readBytes(path), path), path);
}

/**
 * Reads and checks a scenario; `file` is what faults call it.
 *
 * @throws ScenarioError
 */
export function readScenario(text: string, file: string): Script {
  const source = readYaml(text);
  const report = (faults: readonly PlacedFault[]): ScenarioError =>
    new ScenarioError(formatFaults(file, faults));
  if (source.faults.length > 0)
    throw report(source.faults.map((fault) => ({ path: [], ...fault })));
  const locate = (fault: Fault): PlacedFault => ({
    ...fault,
    ...source.locate(fault.path, fault.atKey),
  });
  const parsed = parseScenario(source.value);
  if (!parsed.ok) throw report(parsed.errors.map(explainViolation).map(locate));
  const faults = findFaults(parsed.value);
  if (faults.length > 0) throw report(faults.map(locate));
  const version = createHash('sha256').update(JSON.stringify(parsed.value)).digest('base64url');
  return createScript(parsed.value, version.slice(0, 16));
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      if (size > MAX_BYTES) throw tooLarge(path);
      // A pipe or device has no size; one byte more than may be there tells that there is too much.
      const { buffer, bytesRead } = await file.read(new Uint8Array(MAX_BYTES + 1));
      if (bytesRead > MAX_BYTES) throw tooLarge(path);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof ScenarioError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new ScenarioError(`${path}: there is no such file; SCENARIO names a YAML file.`);
    if (code === 'EISDIR')
      throw new ScenarioError(`${path}: this is a folder; SCENARIO names one YAML file in it.`);
    throw new ScenarioError(`${path}: the file cannot be read: ${message}`);
  }
}

function tooLarge(path: string): ScenarioError {
  return new ScenarioError(
    `${path}: the file is larger than ${MAX_BYTES} bytes; split the scenario up.`,
  );
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ScenarioError(`${path}: the file is not UTF-8; save it as UTF-8.`);
  }
}

type Violation = Extract<
  ReturnType<typeof parseScenario>,
  { readonly ok: false }
>['errors'][number];

function explainViolation({ path: pointer, message, keyword, schemaPath }: Violation): Fault {
  const path = readPointer(pointer);
  const atKey = keyword === 'additionalProperties';
  const hint = HINTS.find(([end]) => schemaPath.endsWith(end))?.[1];
  return { path, atKey, message, ...(hint === undefined ? {} : { hint }) };
}

/** What to do about faults whose message only says what the schema asks for. */
const HINTS: readonly (readonly [string, string])[] = [
  ['#/type', 'A scenario is a map that holds a list of "rules".'],
  ['#/required', 'A scenario is a map that holds a list of "rules".'],
  ['/Artifact/type', 'Indent "id" and what follows more than the verb.'],
  ['/Ask/type', 'Indent "question" and what follows more than the verb.'],
  ['/ToolStep/type', 'Indent "name" and "input" more than the verb.'],
  [
    '/ToolStep/properties/input/type',
    'The arguments are a map, such as "input: { name: report }".',
  ],
  ['/Step/maxProperties', 'A step does one thing: begin a new step, with a dash, for each verb.'],
  ['/Step/minProperties', 'A step names a verb and what it does, such as "say: Hello".'],
  ['/Step/type', 'A step names a verb and what it does, such as "say: Hello".'],
  ['/Steps/type', 'Steps are a list: begin each with a dash.'],
  ['/Condition/minProperties', 'Leave "when" out for a rule that takes every message.'],
  ['/Duration/pattern', 'Write a number and its unit, such as "150ms" or "1.5s".'],
  ['/Artifact/oneOf', 'Write "chunks" for texts that come one by one, or "parts" for all at once.'],
];
