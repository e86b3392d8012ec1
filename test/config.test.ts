import { describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { flagOf, SETTINGS } from '../src/config/settings.ts';
import type { Setting } from '../src/config/settings.ts';

const settings: readonly Setting<unknown>[] = Object.values(SETTINGS);

function read(env: Record<string, string>, ...argv: string[]) {
  const result = readConfig(env, argv);
  if (result.kind !== 'config') throw new Error(JSON.stringify(result));
  return result.config;
}

function faults(env: Record<string, string>, ...argv: string[]): readonly string[] {
  const result = readConfig(env, argv);
  return result.kind === 'errors' ? result.errors : [];
}

test('defaults', () => {
  expect(read({})).toEqual({
    host: '127.0.0.1',
    port: 4180,
    baseUrl: undefined,
    database: './data/tiny-harness.db',
    agentId: 'tiny-harness',
    models: ['scripted'],
    model: undefined,
    modelBaseUrl: undefined,
    modelApiKey: undefined,
    modelTimeoutMs: 120_000,
    modelContext: 32_000,
    modelTokens: 1_000_000,
    scenario: undefined,
    remoteAgents: undefined,
    remoteTimeoutMs: 600_000,
    remotePollMs: 1000,
    skills: undefined,
    card: undefined,
    auth: undefined,
    authTokens: undefined,
    authIssuer: undefined,
    authAudience: undefined,
    authJwks: undefined,
    authClaim: 'sub',
    authFailures: 20,
    requireParticipant: false,
    recovery: 'rerun',
    leaseMs: 10_000,
    drainTimeoutMs: 10_000,
    turnTimeoutMs: 900_000,
    turnSteps: 10_000,
    turnToolCalls: 200,
    turnOutput: 16_777_216,
    subTaskParallel: 8,
    subTaskDepth: 4,
    heartbeatMs: 15_000,
    subscriberQueue: 1000,
    rateLimit: 120,
    bodyLimit: 1_048_576,
    maxDepth: 100,
    requestTimeoutMs: 30_000,
    trustProxy: [],
    corsOrigins: [],
    pushAllow: [],
    pushAttempts: 10,
    pushTimeoutMs: 15_000,
    secretKey: undefined,
    logLevel: 'info',
  });
});

test('the config cannot be changed', () => {
  const config = read({ MODELS: 'a, b' });
  expect(Object.isFrozen(config)).toBe(true);
  expect(config.models).toEqual(['a', 'b']);
  expect(Object.isFrozen(config.models)).toBe(true);
});

test('a flag wins over a variable, an empty variable is an unset one', () => {
  expect(read({ PORT: '1', HOST: '' }, '--port', '2')).toMatchObject({
    port: 2,
    host: '127.0.0.1',
  });
  expect(read({}, '--port=0', '--database', ':memory:')).toMatchObject({
    port: 0,
    database: ':memory:',
  });
});

test('the last of two flags wins, a value may hold "="', () => {
  expect(read({}, '--database=a', '--database=b=c').database).toBe('b=c');
});

test('a yes-or-no flag may stand alone', () => {
  expect(read({}, '--require-participant').requireParticipant).toBe(true);
  expect(read({}, '--require-participant', '--port', '1')).toMatchObject({
    requireParticipant: true,
    port: 1,
  });
  expect(read({ REQUIRE_PARTICIPANT: '1' }, '--require-participant=off').requireParticipant).toBe(
    false,
  );
});

const KEY = '00'.repeat(32);

test.each([
  ['HEARTBEAT', '500ms', 'heartbeatMs', 500],
  ['HEARTBEAT', '2m', 'heartbeatMs', 120_000],
  ['HEARTBEAT', '1.5', 'heartbeatMs', 1500],
  ['BODY_LIMIT', '512KiB', 'bodyLimit', 524_288],
  ['BODY_LIMIT', '1000', 'bodyLimit', 1000],
  ['BASE_URL', 'https://agent.example.com/', 'baseUrl', 'https://agent.example.com'],
  ['BASE_URL', 'https://example.com/agent/', 'baseUrl', 'https://example.com/agent'],
  ['TRUST_PROXY', '10.0.0.0/8,::1', 'trustProxy', ['10.0.0.0/8', '::1']],
  ['PUSH_ALLOW', '127.0.0.2/32', 'pushAllow', ['127.0.0.2/32']],
  ['CORS_ORIGIN', '*', 'corsOrigins', ['*']],
  ['SECRET_KEY', KEY, 'secretKey', Buffer.alloc(32)],
  ['SECRET_KEY', Buffer.alloc(32).toString('base64'), 'secretKey', Buffer.alloc(32)],
] as const)('%s=%s', (variable, text, name, value) => {
  expect(read({ [variable]: text })[name]).toEqual(value);
});

test.each([
  ['PORT', '70000'],
  ['PORT', '1.5'],
  ['PORT', '-1'],
  ['BASE_URL', 'example.com'],
  ['BASE_URL', 'ftp://example.com'],
  ['BASE_URL', 'https://example.com/?a'],
  ['BASE_URL', 'https://user:word@example.com'],
  ['AGENT_ID', 'anonymous'],
  ['AGENT_ID', 'x'.repeat(257)],
  ['HEARTBEAT', '15 minutes'],
  ['HEARTBEAT', '1ms'],
  ['LEASE', '500ms'],
  ['BODY_LIMIT', '1GB'],
  ['MAX_DEPTH', '5'],
  ['RECOVERY', 'retry'],
  ['LOG_LEVEL', 'INFO'],
  ['REQUIRE_PARTICIPANT', 'maybe'],
  ['TRUST_PROXY', 'proxy.example.com'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['PUSH_ALLOW', 'fd00::/129'],
  ['CORS_ORIGIN', 'https://app.example.com/path'],
  ['AUTH', 'basic'],
  ['AUTH_ISSUER', 'http://id.example.com'],
  ['AUTH_ISSUER', 'https://user@id.example.com'],
  ['AUTH_JWKS', 'id.example.com/keys'],
])('%s=%s is refused by name, as a flag too', (variable, text) => {
  const [fault = '', ...others] = faults({ [variable]: text });
  expect(others).toEqual([]);
  expect(fault.startsWith(`${variable} is "${text}": expected `)).toBe(true);
  const flag = flagOf({ variable });
  expect(faults({}, `${flag}=${text}`)).toEqual([fault.replace(variable, flag)]);
});

test('a fault says what is expected and what to do', () => {
  expect(faults({ PORT: '70000' })).toEqual([
    'PORT is "70000": expected a whole number, from 0 to 65535. Set PORT or --port to that, or leave it unset for 4180.',
  ]);
});

test('a secret is never repeated', () => {
  expect(faults({ SECRET_KEY: 'hunter2' })).toEqual([
    'SECRET_KEY has 7 characters: expected 32 bytes as 64 hexadecimal digits or as base64, such as from `openssl rand -hex 32`. Set SECRET_KEY or --secret-key to that, or leave it unset.',
  ]);
});

describe('authentication', () => {
  const tokens = { AUTH: 'tokens', AUTH_TOKENS: 'tokens.json' };
  const oidc = { AUTH: 'oidc', AUTH_ISSUER: 'https://id.example.com/', AUTH_AUDIENCE: 'agent' };

  test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost', '::ffff:127.0.0.1'])(
    'is not needed on %s',
    (HOST) => {
      expect(read({ HOST }).auth).toBeUndefined();
    },
  );

  test.each([
    '0.0.0.0',
    '::',
    '192.0.2.1',
    'example.com',
    '127.example.com',
    'localhost.example.com',
  ])('is needed on %s, unless that is meant', (HOST) => {
    expect(faults({ HOST })).toEqual([
      `AUTH is unset, but HOST ${HOST} is reached from other machines: whoever reaches it could act as any participant. Set AUTH to tokens or oidc; or HOST to 127.0.0.1; or AUTH to none when that is meant, such as behind a gateway that checks its callers.`,
    ]);
    expect(read({ HOST, AUTH: 'none' })).toMatchObject({ host: HOST, auth: 'none' });
    expect(read({ HOST, ...tokens })).toMatchObject({ host: HOST, auth: 'tokens' });
  });

  test('an issuer is as it was written: its tokens repeat it to the letter', () => {
    expect(read(oidc)).toMatchObject({ authIssuer: 'https://id.example.com/', authClaim: 'sub' });
    expect(read({ ...oidc, AUTH_ISSUER: 'http://127.0.0.1:9/r' })).toMatchObject({
      authIssuer: 'http://127.0.0.1:9/r',
    });
  });

  test.each([
    [{ AUTH: 'tokens' }, ['AUTH is tokens, but AUTH_TOKENS is unset.']],
    [{ AUTH: 'oidc' }, ['but AUTH_ISSUER is unset.', 'but AUTH_AUDIENCE is unset.']],
    [{ AUTH_TOKENS: 'x' }, ['AUTH_TOKENS is set, but AUTH is unset, which does not use it.']],
    [{ ...oidc, AUTH: 'none' }, ['Set AUTH to oidc, or leave AUTH_ISSUER', 'AUTH_AUDIENCE is set']],
    [{ ...oidc, AUTH_TOKENS: 'x' }, ['AUTH_TOKENS is set, but AUTH is oidc']],
  ])('%o does not go together', (env, words) => {
    const found = faults(env);
    expect(found).toHaveLength(words.length);
    for (const [at, text] of words.entries()) expect(found[at]).toContain(text);
  });
});

describe('the agent', () => {
  test('the models are MODEL alone, unless MODELS says more', () => {
    const model = { MODEL: 'm', MODEL_API_KEY: 'k' };
    expect(read(model)).toMatchObject({ model: 'm', models: ['m'] });
    expect(read({ ...model, MODELS: 'm,n' })).toMatchObject({ model: 'm', models: ['m', 'n'] });
    expect(Object.isFrozen(read(model).models)).toBe(true);
  });

  test.each([
    [
      { MODEL: 'm', MODEL_API_KEY: 'k', SCENARIO: 'x.yaml' },
      'SCENARIO and MODEL are set, but there is one agent: leave all of them unset but one.',
    ],
    [
      { AGENT: 'x.mjs', MODEL: 'm', MODEL_API_KEY: 'k', SCENARIO: 'x.yaml' },
      'AGENT and SCENARIO and MODEL are set, but there is one agent: leave all of them unset but one.',
    ],
    [
      { MODEL: 'm', MODEL_API_KEY: 'k', MODELS: 'n,m' },
      'MODEL is m, but the first of MODELS is n: the first is the default. Put m first, or leave MODELS unset.',
    ],
    [
      { MODEL: 'm' },
      'MODEL is set, but MODEL_BASE_URL and MODEL_API_KEY are unset: the model would be that of https://api.openai.com/v1, which needs a key. Set MODEL_BASE_URL to where the model is, or MODEL_API_KEY to the key.',
    ],
    [
      { MODEL: 'm', MODEL_BASE_URL: 'http://127.0.0.1:1/v1/chat/completions' },
      'MODEL_BASE_URL ends in /chat/completions, which the server adds itself. Leave that out.',
    ],
    [
      { MODEL_BASE_URL: 'http://127.0.0.1:1/v1' },
      'MODEL_BASE_URL is set, but MODEL is unset, so there is no model. Set MODEL to its name, or leave MODEL_BASE_URL unset.',
    ],
    [
      { MODEL_API_KEY: 'hunter2' },
      'MODEL_API_KEY is set, but MODEL is unset, so there is no model. Set MODEL to its name, or leave MODEL_API_KEY unset.',
    ],
  ])('%o does not go together', (env, fault) => {
    expect(faults(env)).toEqual([fault]);
  });
});

test('every fault is named at once', () => {
  expect(faults({ PORT: 'x', LEASE: 'y' }, '--nope')).toHaveLength(3);
});

test.each([
  ['--prot', '--prot is not a setting; did you mean --port?'],
  ['--databse=x', '--databse is not a setting; did you mean --database?'],
  ['--verbose', '--verbose is not a setting; --help lists them'],
  [
    'serve',
    'serve is not a flag; flags begin with --, and npm needs a -- of its own before them: npm start -- --help',
  ],
  ['--port', '--port has no value; expected a whole number, from 0 to 65535'],
])('%s', (word, fault) => {
  expect(faults({}, word)).toEqual([fault]);
});

test('the value after an unknown flag is not named as well', () => {
  expect(faults({}, '--prot', '80', '--port', '81')).toHaveLength(1);
});

test('--help names every setting', () => {
  const result = readConfig({ PORT: 'wrong' }, ['--help']);
  if (result.kind !== 'help') throw new Error('no help');
  expect(result.text).toContain('500ms');
  for (const setting of settings) {
    expect(result.text).toContain(`\n  ${flagOf(setting)}, ${setting.variable}\n`);
    expect(result.text).toContain(setting.help);
  }
});

test('docs/guide/configuration.md lists every setting as it is', async () => {
  await expect(page()).toMatchFileSnapshot('../docs/guide/configuration.md');
});

const OPERATING = `## Operating

**Output.** Standard output says where the server listens and how to try it, nothing else. The log is on standard
error, a JSON object a line. At \`info\` it has start and stop, turns and notifications that failed, and refused tokens; at
\`debug\` every request, too. \`reqId\` is the \`x-request-id\` of the answer, and the correlation id of an internal error.

**Exit codes.** 0: stopped in order. 1: it cannot start, since the port is taken or a file or the database cannot be used.
2: a setting is wrong. 130: stopped by a second signal.

**Stopping.** SIGTERM and SIGINT let running turns, streams and push notifications end within \`DRAIN_TIMEOUT\`; a second
signal ends the process at once. Where a service manager or a container stops the server, start it as
\`node src/launch.mjs\`: the shell that \`npm start\` puts in between keeps SIGTERM to itself. What was acknowledged is kept
even by \`kill -9\`: a turn that was cut off is run again, or its task fails, as \`RECOVERY\` says.

**Health.** \`/healthz\` answers while the process is alive. \`/readyz\` answers 503 while it stops or cannot write to its
database; it also names the [skills](skills.md) that are served, and why others are not. \`/metrics\` has calls by outcome,
their time, open streams, running turns and push notifications, for Prometheus. None of them
asks for credentials: keep them from the outside.

**Behind a proxy.** Set \`BASE_URL\` to what clients use, since the card sends them there, and \`TRUST_PROXY\` to the proxy, so
that limits count the clients' addresses. The proxy must not buffer event streams.

**The database.** The files that end in \`-wal\` and \`-shm\` belong to it. Back it up while the server runs with
\`sqlite3 data/tiny-harness.db '.backup copy.db'\`. A newer server brings it to its own version at start; an older one then
refuses it.
`;

/** The page. `npx vitest run test/config.test.ts -u` writes it. */
function page(): string {
  const items = settings.map((setting) => {
    const { variable, kind, fallback, help } = setting;
    const standard = fallback === undefined ? 'unset' : fallback && `\`${fallback}\``;
    return `- **\`${variable}\`**, \`${flagOf(setting)}\`: ${help}\n  Takes ${kind.expected}. Default: ${standard || 'none'}.\n`;
  });
  return `# Configuration

Each setting is an environment variable and a flag of \`npm start\`; the flag wins. An empty variable is an unset one.
What is wrong is named at start, and the server does not start: first every wrong value, then what does not go together,
then what is wrong with the files, one after the other. [Below](#operating) is how to run it.

\`\`\`sh
PORT=0 npm start
npm start -- --port 0 --database :memory:
\`\`\`

Durations are in seconds unless they carry a unit: \`15\`, \`15s\`, \`500ms\`, \`2m\`. Sizes are in bytes unless they carry
a unit: \`512KiB\`, \`1MiB\`. \`npm start -- --help\` prints this list. Other users of the machine can read flags: give
\`SECRET_KEY\` and \`MODEL_API_KEY\` as variables.

${items.join('')}
${OPERATING}`;
}
