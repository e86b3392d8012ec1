/** Which agent a server has: what its config names. Each is loaded only where it is used. */
import { fileURLToPath } from 'node:url';
import type { Agent } from './agents/port.ts';
import { createScriptedAgent } from './agents/scripted/agent.ts';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';

/**
 * The agent; without any setting the scripted one, which repeats what it hears.
 *
 * Rejects with an Error whose message says what is wrong with the file or setting that names it.
 */
export async function chooseAgent(config: Config, log: Logger): Promise<Agent> {
  const { agentModule, scenario, model } = config;
  if (model !== undefined) return createModel(config, log);
  if (agentModule !== undefined) {
    const { loadAgent } = await import('./agents/defined/load-agent.ts');
    return loadAgent(agentModule);
  }
  if (scenario === undefined) return createScriptedAgent();
  const { loadScenario } = await import('./agents/scripted/load-scenario.ts');
  return createScriptedAgent(await loadScenario(scenario));
}

const SYSTEM_PROMPT = new URL('../templates/agent/system-prompt.md.hbs', import.meta.url);

async function createModel(config: Config, log: Logger): Promise<Agent> {
  const { createModelAgent } = await import('./agents/model/agent.ts');
  const { loadSystemPrompt } = await import('./agents/model/system-prompt.ts');
  return createModelAgent({
    endpoint: {
      baseUrl: config.modelBaseUrl ?? 'https://api.openai.com/v1',
      apiKey: config.modelApiKey,
      silence: config.modelTimeoutMs,
    },
    models: config.models,
    prompt: await loadSystemPrompt(fileURLToPath(SYSTEM_PROMPT)),
    limits: { contextTokens: config.modelContext, turnTokens: config.modelTokens },
    log,
    random: Math.random,
  });
}
