/** Loading an agent that somebody has written: a module whose default export `defineAgent` has made. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Agent } from '../port.ts';
import { importModule } from './import-module.mjs';
import { MARK } from './mark.mjs';

/** What Node exits with when an "await" at the top of a module is never settled. */
const UNSETTLED = 13;

/** An agent that cannot be loaded. Its message is for a person: what is wrong, and what to do. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
}

/**
 * Loads the module at a path; its code runs.
 *
 * @throws AgentError when there is none, it breaks down, or what it exports is no agent
 */
export async function loadAgent(path: string): Promise<Agent> {
  await requireFile(path);
  const { default: agent } = await loadModule(path);
  if (agent === undefined) {
    throw new AgentError(
      `${path}: the module has no default export; write: export default defineAgent({ … })`,
    );
  }
  if (!isAgent(agent)) {
    throw new AgentError(
      `${path}: the default export is not what defineAgent returns; write: export default defineAgent({ … }), with defineAgent from 'tiny-harness/agent'`,
    );
  }
  return agent;
}

async function requireFile(path: string): Promise<void> {
  try {
    if ((await stat(path)).isFile()) return;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such file' : `it cannot be read: ${message}`;
    throw new AgentError(`${path}: ${reason}; AGENT names an ES module, such as agent.mjs.`);
  }
  throw new AgentError(`${path}: this is no file; AGENT names an ES module, such as agent.mjs.`);
}

async function loadModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  // When nothing can happen any more that the module waits for, Node ends the process with this code, and says nothing.
  const explainEnd = () => {
    if (process.exitCode !== UNSETTLED) return;
    process.stderr.write(`${path}: the module is never loaded: it waits for what never happens.\n`);
    process.exit(1);
  };
  process.once('exit', explainEnd);
  try {
    return await importModule(pathToFileURL(resolve(path)).href);
  } catch (error) {
    throw new AgentError(
      `${path}: the module failed while it was loaded: ${explain(error, path)}`,
      {
        cause: error,
      },
    );
  } finally {
    process.off('exit', explainEnd);
  }
}

function explain(error: unknown, path: string): string {
  if (!(error instanceof Error)) return String(error);
  const said = `${error.name}: ${error.message}`;
  // Node's check reads the file alone, and finds nothing wrong with what it imports.
  if (error instanceof SyntaxError && !error.message.includes('does not provide an export')) {
    return `${said}\n    Run: node --check ${path}`;
  }
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ERR_MODULE_NOT_FOUND':
      return `${said}\n    What the module imports has to be a dependency of its own project.`;
    case 'ERR_UNKNOWN_FILE_EXTENSION':
      return `${said}\n    AGENT names JavaScript: compile TypeScript first.`;
    default:
      return said;
  }
}

function isAgent(value: unknown): value is Agent {
  return typeof value === 'object' && value !== null && MARK in value;
}
