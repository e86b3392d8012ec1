/** The file that names remote agents. It brings a YAML parser along, so only who has such a file imports this. */
import { parseRemoteAgents } from '@tiny-harness/contract/remote-agents';
import type { RemoteAgents } from '@tiny-harness/contract/remote-agents';
import type { RemoteAgentDefinition } from './agents/remote/definition.ts';
import { readNamedFile } from './read-file.ts';
import type { Fault, PlacedFault } from './yaml/faults.ts';
import { formatFaults, readPointer } from './yaml/faults.ts';
import { readYaml } from './yaml/source.ts';

/** The most characters that the file may have. */
const MAX_LENGTH = 1024 * 1024;

/** What the definitions in the file are completed with. */
export interface Surroundings {
  /** This server's own participant id. */
  readonly agentId: string;
  /** Where tokens are looked up. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads and checks the file: JSON, or YAML. Rejects with an Error whose message names every fault with its place and
 * what to do; no token is in it.
 */
export async function readRemoteAgents(
  path: string,
  { agentId, env }: Surroundings,
): Promise<readonly RemoteAgentDefinition[]> {
  const { agents } = parse(await readNamedFile('REMOTE_AGENTS', path), path, env);
  return Object.entries(agents).map(([id, agent]) => {
    const { url, description, tokenVariable, participant = `client:${agentId}` } = agent;
    const token = tokenVariable === undefined ? undefined : env[tokenVariable];
    return { id, url, description, token, participant };
  });
}

function parse(text: string, path: string, env: Surroundings['env']): RemoteAgents {
  if (text.length > MAX_LENGTH) {
    throw new Error(`REMOTE_AGENTS: ${path} has more than ${MAX_LENGTH} characters`);
  }
  const source = readYaml(text);
  const report = (faults: readonly PlacedFault[]) =>
    new Error(`REMOTE_AGENTS: ${formatFaults(path, faults)}`);
  if (source.faults.length > 0) throw report(source.faults.map((each) => ({ path: [], ...each })));
  const locate = (fault: Fault): PlacedFault => ({
    ...fault,
    ...source.locate(fault.path, fault.atKey),
  });
  const parsed = parseRemoteAgents(source.value);
  if (!parsed.ok) throw report(parsed.errors.map(explain).map(locate));
  const faults = Object.entries(parsed.value.agents).flatMap(([id, agent]) => [
    ...findUrlFaults(id, agent.url),
    ...findTokenFaults(id, agent.tokenVariable, env),
  ]);
  if (faults.length > 0) throw report(faults.map(locate));
  return parsed.value;
}

type Violation = Extract<
  ReturnType<typeof parseRemoteAgents>,
  { readonly ok: false }
>['errors'][number];

function explain({ path: pointer, message, keyword, schemaPath }: Violation): Fault {
  const path = readPointer(pointer);
  const secret = SECRETIVE.find(([end]) => schemaPath.endsWith(end));
  if (secret !== undefined) return { path, message: secret[1], hint: secret[2] };
  const hint = HINTS.find(([end]) => schemaPath.endsWith(end))?.[1];
  const fault = { path, atKey: keyword === 'additionalProperties', message };
  return hint === undefined ? fault : { ...fault, hint };
}

const SHAPE =
  'The file is like { "agents": { "translator": { "url": "https://translator.example.com/", "description": "Translates." } } }.';

/** What to do about faults whose message only says what the schema asks for. */
const HINTS: readonly (readonly [string, string])[] = [
  ['#/type', SHAPE],
  ['#/required', SHAPE],
  ['#/properties/agents/type', SHAPE],
  ['/RemoteAgent/type', SHAPE],
  ['/RemoteAgent/required', SHAPE],
  ['/propertyNames/pattern', 'Call it by small letters, digits and hyphens, such as "translator".'],
];

/** Where a password or token may stand by mistake, so that the value is not repeated. */
const SECRETIVE: readonly (readonly [string, string, string])[] = [
  [
    '/url/pattern',
    'this is not a URL that can be used',
    'Write an http or https URL without a user name, query or fragment, such as "https://translator.example.com/"; a token goes into the variable that "tokenVariable" names.',
  ],
  [
    '/tokenVariable/pattern',
    'this is not the name of an environment variable',
    'Write the name of the variable that holds the token, not the token itself.',
  ],
];

function findUrlFaults(id: string, url: string): Fault[] {
  if (URL.canParse(url)) return [];
  const path = ['agents', id, 'url'];
  return [{ path, message: 'this is no URL', hint: 'Write one such as "https://example.com/".' }];
}

function findTokenFaults(
  id: string,
  variable: string | undefined,
  env: Surroundings['env'],
): Fault[] {
  if (variable === undefined) return [];
  const path = ['agents', id, 'tokenVariable'];
  const token = env[variable] ?? '';
  if (token === '') {
    const hint = 'Set it to the token, or leave "tokenVariable" out.';
    return [{ path, message: `the environment variable ${variable} is not set`, hint }];
  }
  if (/^[\x21-\x7e]+$/.test(token)) return [];
  const hint =
    'A token is of visible ASCII characters; look for a space or a line break at its end.';
  return [{ path, message: `what ${variable} holds is no bearer token`, hint }];
}
