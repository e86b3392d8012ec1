/** The composition root: a server made of its parts. */
import type { AddressInfo } from 'node:net';
import type { Agent } from './agents/port.ts';
import { createOwner } from './agents/owner.ts';
import type { RemoteAgents } from './agents/remote-agents.ts';
import type { TurnRunner } from './agents/runner.ts';
import { createTurnRunner } from './agents/runner.ts';
import { openAuthentication } from './auth/index.ts';
import { createCard, readCardFile } from './card-file.ts';
import { chooseAgent } from './choose-agent.ts';
import type { Config } from './config.ts';
import { createHttpServer } from './http/server.ts';
import { linkTasks } from './extensions/linked-tasks.ts';
import { toStreamResponse, toTaskMetadata } from './extensions/wire.ts';
import type { Logger } from './log.ts';
import { createAgentProfile } from './protocol/agent-profile.ts';
import { createOperations } from './protocol/operations.ts';
import type { Service } from './protocol/service.ts';
import { parseAllowList } from './push/addresses.ts';
import { createPushConfigs } from './push/configs.ts';
import { createWebhookGuard } from './push/guard.ts';
import { createHostResolver } from './push/resolve.ts';
import { createSecretBox } from './push/secrets.ts';
import type { PushSender } from './push/sender.ts';
import { createPushSender } from './push/sender.ts';
import { createSkillCatalog } from './skills/catalog.ts';
import type { SkillCatalog } from './skills/port.ts';
import type { Store } from './store/port.ts';
import { openSqliteStore } from './store/sqlite/index.ts';
import { createStreamHub } from './stream/hub.ts';

/** A server. */
export interface App {
  /**
   * Takes up what earlier processes left, and listens.
   *
   * @returns the base URL, with a slash at its end
   */
  listen(): Promise<string>;
  /**
   * Stops within `timeout` milliseconds: no new turns, streams told and ended, running turns finished or given
   * back, push notifications flushed. Calling it again waits for the same end.
   */
  drain(timeout: number): Promise<void>;
}

/** What a server is given in the place of its own. */
export interface Replacements {
  /** The agent; by default the one that the config names. */
  readonly agent?: Agent;
  /** The clock of the tasks: milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * A server as the config says.
 *
 * Rejects with an Error whose message says what is wrong with the database, or with a file that a setting names.
 */
export async function createApp(
  config: Config,
  log: Logger,
  { agent: given, now = Date.now }: Replacements = {},
): Promise<App> {
  const overrides = config.card === undefined ? {} : await readCardFile(config.card);
  const agent = given ?? (await chooseAgent(config, log));
  const authentication = await openAuthentication(config, log, now);
  const store = openStore(config, now, log);
  const skills = createSkillCatalog({ directory: config.skills, log });
  const remotes = await openRemoteAgents(config, store, log);
  const runner = createRunner({ config, store, agent, remotes, skills, now, log });
  const push = createPush({ config, store, now, log });
  const hub = createHub(config, store, log);
  const profileAt = (baseUrl: string) =>
    createAgentProfile(createCard(baseUrl, overrides, authentication?.security));
  const profile = profileAt(config.baseUrl ?? urlOf(config.host, config.port));
  const { configs, sender } = push;
  const wakePush = () => {
    sender.wake();
  };
  const { agentId, models, requireParticipant } = config;
  const service: Service = {
    store,
    hub,
    runner,
    agent,
    push: configs,
    wakePush,
    profile,
    authentication,
    agentId,
    models,
    requireParticipant,
  };
  const parts = { runner, remotes, sender, hub, service, skills, profileAt };
  return new Server({ config, log, now, store, ...parts });
}

interface Parts {
  readonly config: Config;
  readonly log: Logger;
  readonly now: () => number;
  readonly store: Store;
  readonly runner: TurnRunner;
  readonly remotes: RemoteAgents;
  readonly sender: PushSender;
  readonly hub: ReturnType<typeof createStreamHub>;
  readonly service: Service;
  readonly skills: SkillCatalog;
  readonly profileAt: (baseUrl: string) => Service['profile'];
}

class Server implements App {
  readonly #parts: Parts;
  readonly #http: ReturnType<typeof createHttpServer>;
  #service: Service;
  #draining: Promise<void> | undefined;

  constructor(parts: Parts) {
    const { config, log, store, runner } = parts;
    this.#parts = parts;
    this.#service = parts.service;
    this.#http = createHttpServer({
      operations: createOperations(() => this.#service),
      config,
      log,
      health: this.#health(),
      metrics: {
        runningTurns: () => runner.running,
        countDeliveries: () => store.countDeliveries(),
      },
    });
  }

  async listen(): Promise<string> {
    const { config, runner, remotes, sender, skills, profileAt } = this.#parts;
    // The log says at start which skills are skipped, and why.
    await skills.report();
    await remotes.start();
    await runner.start();
    sender.start();
    await this.#http.listen({ host: config.host, port: config.port });
    const { port } = this.#http.server.address() as AddressInfo;
    const baseUrl = config.baseUrl ?? urlOf(config.host, port);
    // With port 0 the address is known only now.
    this.#service = { ...this.#service, profile: profileAt(baseUrl) };
    return baseUrl;
  }

  drain(timeout: number): Promise<void> {
    this.#draining ??= this.#stop(timeout);
    return this.#draining;
  }

  async #stop(timeout: number): Promise<void> {
    const { runner, remotes, sender, hub, store, now } = this.#parts;
    const deadline = now() + timeout;
    // Turns first: who waits for one that ends in time still gets its answer. A quarter is left for the rest.
    await runner.drain(deadline - timeout / 4);
    remotes.stop();
    hub.close();
    const cut = setTimeout(() => {
      this.#http.server.closeAllConnections();
    }, deadline - now());
    await Promise.all([this.#http.close(), sender.stop(deadline)]);
    clearTimeout(cut);
    await store.close();
  }

  #health(): Parameters<typeof createHttpServer>[0]['health'] {
    const isDraining = () => this.#draining !== undefined;
    return {
      check: () => this.#parts.store.check(),
      detail: async () => ({ skills: await this.#parts.skills.report() }),
      get draining() {
        return isDraining();
      },
    };
  }
}

function openStore({ database, agentId }: Config, now: () => number, log: Logger): Store {
  const onError = (error: unknown) => {
    log.error({ err: error }, 'the store failed where nobody waits for it');
  };
  const wire = { toStreamResponse, toTaskMetadata };
  return linkTasks(openSqliteStore({ path: database, wire, now, onError }), agentId);
}

function createHub({ subscriberQueue }: Config, store: Store, log: Logger) {
  return createStreamHub({
    store,
    queueLimit: subscriberQueue,
    onError: (error, taskId) => {
      log.error({ err: error, taskId }, 'a stream ended: its task could not be read');
    },
  });
}

const NO_REMOTE_AGENTS: RemoteAgents = {
  agents: new Map(),
  summaries: [],
  start: () => Promise.resolve(),
  stop: () => undefined,
};

async function openRemoteAgents(
  { remoteAgents: path, remoteTimeoutMs: timeout, remotePollMs: poll, agentId }: Config,
  store: Store,
  log: Logger,
): Promise<RemoteAgents> {
  if (path === undefined) return NO_REMOTE_AGENTS;
  const { readRemoteAgents } = await import('./remote-agents-file.ts');
  const { createRemoteAgents } = await import('./agents/remote-agents.ts');
  const definitions = await readRemoteAgents(path, { agentId, env: process.env });
  return createRemoteAgents({ definitions, store, timeout, poll, log });
}

interface RunnerParts {
  readonly config: Config;
  readonly store: Store;
  readonly agent: Agent;
  readonly remotes: RemoteAgents;
  readonly skills: SkillCatalog;
  readonly now: () => number;
  readonly log: Logger;
}

function createRunner(parts: RunnerParts): TurnRunner {
  const { config, store, agent, remotes, skills, now, log } = parts;
  return createTurnRunner({
    store,
    agent,
    remoteAgents: remotes.agents,
    tools: { skills, remoteAgents: remotes.summaries, maxDepth: config.subTaskDepth },
    limits: {
      steps: config.turnSteps,
      toolCalls: config.turnToolCalls,
      output: config.turnOutput,
      time: config.turnTimeoutMs,
    },
    parallelSubTasks: config.subTaskParallel,
    agentId: config.agentId,
    owner: createOwner(),
    now,
    leaseTime: config.leaseMs,
    attempts: config.recovery === 'rerun' ? 2 : 1,
    log,
  });
}

function createPush({
  config,
  store,
  now,
  log,
}: Pick<RunnerParts, 'config' | 'store' | 'now' | 'log'>) {
  const guard = createWebhookGuard(parseAllowList(config.pushAllow), createHostResolver());
  const configs = createPushConfigs({ guard, box: createSecretBox(config.secretKey) });
  const sender = createPushSender({
    store,
    guard,
    configs,
    attempts: config.pushAttempts,
    timeout: config.pushTimeoutMs,
    now,
    random: Math.random,
    log,
  });
  return { configs, sender };
}

/** Where a host and port are reached; `0.0.0.0` and `::` are where everybody listens, not where anybody is. */
function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}/`;
}
