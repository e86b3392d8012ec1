/** Which agent a server has: what its config names. Each is loaded only where it is used. */
import type { Agent } from './agents/port.ts';
import { createScriptedAgent } from './agents/scripted/agent.ts';
import type { Config } from './config.ts';

/**
 * The agent; without any setting the scripted one, which repeats what it hears.
 *
 * Rejects with an Error whose message says what is wrong with the file or setting that names it.
 */
export async function chooseAgent({ scenario }: Config): Promise<Agent> {
  if (scenario === undefined) return createScriptedAgent();
  const { loadScenario } = await import('./agents/scripted/load-scenario.ts');
  return createScriptedAgent(await loadScenario(scenario));
}
