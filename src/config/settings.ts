/** Every setting, once: its environment variable, flag, kind, default and what it is for. */
import type { Kind } from './values.ts';
import {
  addressRange,
  baseUrl,
  duration,
  flag,
  integer,
  list,
  oneOf,
  origin,
  participantId,
  secretKey,
  secureUrl,
  size,
  text,
} from './values.ts';

/** A setting. Its flag is its variable in lower case with hyphens: `RATE_LIMIT`, `--rate-limit`. */
export interface Setting<T> {
  readonly variable: string;
  readonly kind: Kind<T>;
  /** As one would write it; undefined when the setting is unset by default. */
  readonly fallback: string | undefined;
  /** What it is for: one or two sentences. */
  readonly help: string;
  /** Whether its value is kept out of every message. */
  readonly secret?: true;
}

/** The settings by their names in `Config`. */
export const SETTINGS = {
  host: setting(
    'HOST',
    text('a host name or IP address'),
    '127.0.0.1',
    'Address to listen on. The default is reached from this machine alone; 0.0.0.0 listens on every address. One that others reach needs AUTH.',
  ),
  port: setting('PORT', integer(0, 65_535), '4180', 'Port to listen on; 0 takes any that is free.'),
  baseUrl: optional(
    'BASE_URL',
    baseUrl(),
    'URL under which clients reach the server, as the agent card gives it. Made of host and port when unset.',
  ),
  database: setting(
    'DATABASE',
    text('a file path, or :memory:'),
    './data/tiny-harness.db',
    'SQLite database file, made with its folder when missing. :memory: forgets everything at the end.',
  ),
  agentId: setting('AGENT_ID', participantId(), 'tiny-harness', 'Participant id of the agent.'),
  models: optional(
    'MODELS',
    list(text(), 'names with commas between them', 1),
    'Models that may be selected, with commas between them; the first is the default. Unset, it is MODEL alone, or "scripted" where there is no model.',
  ),
  model: optional(
    'MODEL',
    text('the name of a model'),
    'Model that the agent works with, by the name that its endpoint knows. Unset, there is no model: the agent is the scripted one.',
  ),
  modelBaseUrl: optional(
    'MODEL_BASE_URL',
    baseUrl(),
    "URL of the model's endpoint, up to and without /chat/completions: any that speaks OpenAI's Chat Completions API. Unset, it is https://api.openai.com/v1.",
  ),
  modelApiKey: {
    ...optional(
      'MODEL_API_KEY',
      text('a key'),
      "Key of the model's endpoint; none is sent when unset.",
    ),
    secret: true,
  },
  modelTimeoutMs: setting(
    'MODEL_TIMEOUT',
    duration(100),
    '2m',
    "How long the model's endpoint may send nothing before it is asked again. Some models think for minutes before they say anything.",
  ),
  modelContext: setting(
    'MODEL_CONTEXT',
    integer(8_000, 100_000_000),
    '32000',
    "Tokens of the model's context, a quarter of them for its answer. Older messages that there is no room for are left out.",
  ),
  modelTokens: setting(
    'MODEL_TOKENS',
    integer(1_000, 1_000_000_000),
    '1000000',
    'Tokens that one turn may take of the model, in and out, before its task fails.',
  ),
  scenario: optional(
    'SCENARIO',
    text('a file path'),
    'YAML file that says how the scripted agent behaves.',
  ),
  agentModule: optional(
    'AGENT',
    text('a file path'),
    'ES module whose default export is an agent of your own, made with defineAgent.',
  ),
  remoteAgents: optional(
    'REMOTE_AGENTS',
    text('a file path'),
    'JSON or YAML file that names the A2A agents elsewhere to which sub-tasks may be given.',
  ),
  remoteTimeoutMs: setting(
    'REMOTE_TIMEOUT',
    duration(1000),
    '10m',
    'How long a remote agent may have nothing new to say about a sub-task before the sub-task fails.',
  ),
  remotePollMs: setting(
    'REMOTE_POLL',
    duration(100),
    '1s',
    'Time between the first questions after a sub-task to a remote agent that does not stream; it grows while nothing happens.',
  ),
  skills: optional(
    'SKILLS',
    text('a path of a directory'),
    'Directory with a directory for each skill in the Agent Skills format. It is looked at whenever skills are asked for.',
  ),
  card: optional(
    'CARD',
    text('a file path'),
    "JSON file whose members take the place of the agent card's; its capabilities are merged.",
  ),
  auth: optional(
    'AUTH',
    oneOf('none', 'tokens', 'oidc'),
    'How callers prove who they are: with none they need not, with tokens by a token of AUTH_TOKENS, with oidc by a JWT of AUTH_ISSUER. Unset is none, as long as HOST is a loopback address.',
  ),
  authTokens: optional(
    'AUTH_TOKENS',
    text('a file path'),
    'JSON file with the hashes of the tokens and whose they are, for AUTH=tokens. It is read again when it changes.',
  ),
  authIssuer: optional(
    'AUTH_ISSUER',
    secureUrl(),
    'The "iss" of the JWTs, for AUTH=oidc, as the issuer writes it: with or without a slash at its end.',
  ),
  authAudience: optional(
    'AUTH_AUDIENCE',
    text('the name of an audience'),
    'The "aud" that a JWT must have, for AUTH=oidc.',
  ),
  authJwks: optional(
    'AUTH_JWKS',
    secureUrl(),
    'Where the keys of the issuer are, for AUTH=oidc. Found by OpenID Connect discovery when unset.',
  ),
  authClaim: setting(
    'AUTH_CLAIM',
    text('the name of a claim'),
    'sub',
    'The claim of a JWT that is the id of the participant, for AUTH=oidc. Nobody may be able to choose it for himself.',
  ),
  authFailures: setting(
    'AUTH_FAILURES',
    integer(0, 1_000_000_000),
    '20',
    'Invalid tokens a minute from one client address before its tokens are no longer looked at; 0 takes any number. Loopback addresses have no limit.',
  ),
  requireParticipant: setting(
    'REQUIRE_PARTICIPANT',
    flag(),
    'false',
    'Whether requests on tasks that name no participant fail as if the task did not exist.',
  ),
  recovery: setting(
    'RECOVERY',
    oneOf('rerun', 'fail'),
    'rerun',
    'What becomes of a turn that a crash cut off: it is run once more before its task fails, or its task fails at once.',
  ),
  leaseMs: setting(
    'LEASE',
    duration(1000),
    '10s',
    'For how long a process holds a turn without a sign of life before another takes it over.',
  ),
  drainTimeoutMs: setting(
    'DRAIN_TIMEOUT',
    duration(0),
    '10s',
    'How long stopping may take: running turns, streams and push notifications end within it.',
  ),
  turnTimeoutMs: setting(
    'TURN_TIMEOUT',
    duration(100),
    '15m',
    "How long a turn of the agent may take before its task fails. A question's answer may take as long as it likes: nothing runs meanwhile.",
  ),
  turnSteps: setting(
    'TURN_STEPS',
    integer(1, 1_000_000_000),
    '10000',
    'How often the agent may say something, write a chunk or call a tool in one turn before its task fails.',
  ),
  turnToolCalls: setting(
    'TURN_TOOL_CALLS',
    integer(1, 1_000_000),
    '200',
    'Tool calls that the agent may make in one turn before its task fails.',
  ),
  turnOutput: setting(
    'TURN_OUTPUT',
    size(1024, 1024 ** 3),
    '16MiB',
    'How much the agent may say and write in one turn before its task fails.',
  ),
  subTaskParallel: setting(
    'SUBTASK_PARALLEL',
    integer(1, 10_000),
    '8',
    'Sub-tasks that the agent works on at a time; others wait for their turn. Those of remote agents do not count.',
  ),
  subTaskDepth: setting(
    'SUBTASK_DEPTH',
    integer(0, 100),
    '4',
    "How deep the agent's sub-tasks may be nested; with 0 it starts none.",
  ),
  heartbeatMs: setting(
    'HEARTBEAT',
    duration(100),
    '15s',
    'Time between the comments that keep an event stream open.',
  ),
  subscriberQueue: setting(
    'SUBSCRIBER_QUEUE',
    integer(1, 1_000_000),
    '1000',
    'Events that wait for a slow reader of a stream before it is disconnected; it can resume.',
  ),
  rateLimit: setting(
    'RATE_LIMIT',
    integer(0, 1_000_000_000),
    '120',
    'Requests a minute from one client address; 0 takes any number. Loopback addresses have no limit.',
  ),
  bodyLimit: setting(
    'BODY_LIMIT',
    size(1, 1024 ** 3),
    '1MiB',
    'Size of a request body; more is refused with 413.',
  ),
  maxDepth: setting('MAX_DEPTH', integer(10, 2000), '100', 'Levels of nesting in a request body.'),
  requestTimeoutMs: setting(
    'REQUEST_TIMEOUT',
    duration(100),
    '30s',
    'Time for a request to arrive whole; later is refused with 408.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    list(addressRange(), 'IP addresses or CIDR ranges with commas between them'),
    '',
    'Proxies whose X-Forwarded-For is believed, with commas between them; none when empty.',
  ),
  corsOrigins: setting(
    'CORS_ORIGIN',
    list(origin(), 'origins with commas between them, or *'),
    '',
    'Web origins whose scripts may call the server, with commas between them; none when empty.',
  ),
  pushAllow: setting(
    'PUSH_ALLOW',
    list(addressRange(), 'IP addresses or CIDR ranges with commas between them'),
    '',
    'Private addresses that push notifications may go to, with commas between them; checked after the name is resolved.',
  ),
  pushAttempts: setting(
    'PUSH_ATTEMPTS',
    integer(1, 1000),
    '10',
    'How often a push notification is tried before it is given up.',
  ),
  pushTimeoutMs: setting(
    'PUSH_TIMEOUT',
    duration(100),
    '15s',
    "How long a push notification's receiver may take to answer.",
  ),
  secretKey: {
    ...optional(
      'SECRET_KEY',
      secretKey(),
      'Key that encrypts the secrets of push notification configs in the database; they are kept as they are when unset.',
    ),
    secret: true,
  },
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'The least severe messages that are logged.',
  ),
} as const;

function setting<T>(variable: string, kind: Kind<T>, fallback: string, help: string): Setting<T> {
  return { variable, kind, fallback, help };
}

function optional<T>(variable: string, kind: Kind<T>, help: string): Setting<T | undefined> {
  return { variable, kind, fallback: undefined, help };
}

/** The flag of a setting. */
export function flagOf({ variable }: Pick<Setting<unknown>, 'variable'>): string {
  return `--${variable.toLowerCase().replaceAll('_', '-')}`;
}
