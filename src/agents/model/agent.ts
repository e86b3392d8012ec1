/** The agent with a model behind it: any endpoint that speaks the Chat Completions API. */
import type { Logger } from '../../log.ts';
import type { Agent, TurnOutcome } from '../port.ts';
import type { EndpointSettings } from './endpoint.ts';
import { createEndpoint } from './endpoint.ts';
import { ModelFault } from './fault.ts';
import { createMarker } from './marker.ts';
import type { ModelLimits } from './run-turn.ts';
import { ModelTurn } from './run-turn.ts';
import type { SystemPrompt } from './system-prompt.ts';

/** What a model agent needs. */
export interface ModelAgentOptions {
  readonly endpoint: EndpointSettings;
  /** The models that a task may select; the first is the default. */
  readonly models: readonly string[];
  readonly prompt: SystemPrompt;
  /** Those of tokens, and others where a test wants them. */
  readonly limits: Pick<ModelLimits, 'contextTokens' | 'turnTokens'> & Partial<ModelLimits>;
  readonly log: Logger;
  /** From 0 up to 1; for the jitter of waits. */
  readonly random: () => number;
}

const LIMITS = { steps: 50, attempts: 4, firstWait: 1000 } as const;

/**
 * Creates the agent. Where a model does not do its part, participants are told so in plain words, and the log has the
 * reason; the key is in neither. A conversation waits for its next message then: an outage is no reason to end it.
 */
export function createModelAgent(options: ModelAgentOptions): Agent {
  const { prompt, models, log, random } = options;
  const endpoint = createEndpoint(options.endpoint);
  const parts = { endpoint, prompt, models, log, random, limits: { ...LIMITS, ...options.limits } };
  return {
    lifecycle: 'conversation',
    async run(turn): Promise<TurnOutcome> {
      turn.signal.throwIfAborted();
      try {
        return await new ModelTurn(parts, turn, createMarker()).run();
      } catch (error) {
        if (turn.signal.aborted || !(error instanceof ModelFault)) throw error;
        const { taskId, number } = turn;
        const { kind, message: reason, details } = error;
        const { status, requestId } = details;
        log.error({ taskId, turn: number, kind, status, requestId, reason }, 'the model failed');
        return endAfter(error, turn.delegated);
      }
    },
  };
}

/** Who delegated a task has to hear of it now; and a turn that is over a limit of the agent's own fails its task. */
function endAfter({ words, isPassing }: ModelFault, isDelegated: boolean): TurnOutcome {
  if (isDelegated || !isPassing) return { end: 'failed', parts: [{ text: words }] };
  return { end: 'input-required', parts: [{ text: `${words} Send a message to try again.` }] };
}
