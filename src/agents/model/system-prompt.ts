/** The system prompt: a template in `templates/agent/`, so that it can be read and changed without the code. */
import { readFile } from 'node:fs/promises';
import type { RemoteAgentSummary } from '../port.ts';

/** What the template is given; docs/guide/model.md says so as well. */
interface PromptValues {
  readonly agentId: string;
  /** Whether the answer completes the task. */
  readonly delegated: boolean;
  /** Whether the client shows A2UI. */
  readonly a2ui: boolean;
  /** The remote agents that sub-tasks may be given to. */
  readonly agents: readonly RemoteAgentSummary[];
  /** The task as JSON, marked. */
  readonly task: string;
  /** The loaded skills, each marked. */
  readonly skills: readonly string[];
  /** What the tags of marked texts hold. */
  readonly key: string;
}

/** Renders the prompt. */
export type SystemPrompt = (values: PromptValues) => string;

/** As few values as a prompt can have, and as many: whatever branch there is, it is tried at start. */
const SAMPLES: readonly PromptValues[] = [
  { agentId: 'a', delegated: false, a2ui: false, agents: [], task: '{}', skills: [], key: 'k' },
  {
    agentId: 'a',
    delegated: true,
    a2ui: true,
    agents: [{ id: 'b', description: 'c' }],
    task: '{}',
    skills: ['s'],
    key: 'k',
  },
];

/**
 * Reads the template. Values stand in it as they are, without escapes for HTML; `if`, `each` and no other helper are known.
 *
 * Rejects with an Error that names the file when it is not there, no template, or asks for other values.
 */
export async function loadSystemPrompt(path: string): Promise<SystemPrompt> {
  try {
    const source = await readFile(path, 'utf8');
    const { default: handlebars } = await import('handlebars');
    const template = handlebars.compile<PromptValues>(source.replaceAll('\r\n', '\n'), {
      noEscape: true,
      strict: true,
      knownHelpersOnly: true,
    });
    const render: SystemPrompt = (values) => template(values).trim();
    for (const sample of SAMPLES) render(sample);
    return render;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The system prompt ${path} cannot be used: ${reason}`, { cause: error });
  }
}
