/** What a runner of turns is given in tests that are not about it: no skills, no remote agents, generous limits. */
import type { TurnRunnerOptions } from '../../src/agents/runner.ts';
import { createSkillCatalog } from '../../src/skills/catalog.ts';

const silent = () => undefined;

/** A log that nobody reads. */
export const SILENT_LOG = { error: silent, warn: silent, info: silent, debug: silent };

export const RUNNER_OPTIONS: Pick<
  TurnRunnerOptions,
  'remoteAgents' | 'tools' | 'limits' | 'parallelSubTasks' | 'log'
> = {
  remoteAgents: new Map(),
  tools: {
    skills: createSkillCatalog({ directory: undefined, log: SILENT_LOG }),
    remoteAgents: [],
    maxDepth: 4,
  },
  limits: { steps: 10_000, toolCalls: 1000, output: 16 * 1024 * 1024, time: 60_000 },
  parallelSubTasks: 8,
  log: SILENT_LOG,
};
