/** The agent card that a server shows: the contract's, with what the operator's file says otherwise. */
import { readFile } from 'node:fs/promises';
import type { AgentCard } from '@tiny-harness/contract/agent-card';
import { createAgentCard } from '@tiny-harness/contract/agent-card';
import type { CardSecurity } from './auth/authentication.ts';

/** Members of a card that take the place of the contract's; the capabilities are merged. */
export type CardOverrides = Partial<AgentCard>;

/** Reads a card file. Rejects with an Error that says what is wrong with it and what to do. */
export async function readCardFile(path: string): Promise<CardOverrides> {
  const value = parse(await read(path), path);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`CARD: ${path} must hold a JSON object with members of an agent card`);
  }
  return value;
}

/** The card for an address. With authentication it says how, and promises an extended card. */
export function createCard(
  baseUrl: string,
  overrides: CardOverrides,
  security?: CardSecurity,
): AgentCard {
  const card = createAgentCard({
    baseUrl,
    ...(security === undefined ? {} : { ...security, extendedAgentCard: true }),
  });
  const capabilities = { ...card.capabilities, ...overrides.capabilities };
  return { ...card, ...overrides, capabilities };
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`CARD: ${path} cannot be read (${code ?? 'unknown error'})`, { cause: error });
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`CARD: ${path} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
