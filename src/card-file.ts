/** The agent card that a server shows: the contract's, with what the operator's file says otherwise. */
import type { AgentCapabilities, AgentCard } from '@tiny-harness/contract/agent-card';
import { createAgentCard } from '@tiny-harness/contract/agent-card';
import type { CardSecurity } from './auth/authentication.ts';
import { nearest } from './config/nearest.ts';
import { readNamedFile } from './read-file.ts';

/** Members of a card that take the place of the contract's; the capabilities are merged. */
export type CardOverrides = Partial<AgentCard>;

type Kind = 'a string' | 'true or false' | 'a list' | 'an object';

/** What each member is, so that a slip does not end up on the card; what is within is the operator's. */
const MEMBERS: Readonly<Record<keyof AgentCard, Kind>> = {
  name: 'a string',
  description: 'a string',
  supportedInterfaces: 'a list',
  provider: 'an object',
  version: 'a string',
  documentationUrl: 'a string',
  capabilities: 'an object',
  securitySchemes: 'an object',
  securityRequirements: 'a list',
  defaultInputModes: 'a list',
  defaultOutputModes: 'a list',
  skills: 'a list',
  signatures: 'a list',
  iconUrl: 'a string',
};

const CAPABILITIES: Readonly<Record<keyof AgentCapabilities, Kind>> = {
  streaming: 'true or false',
  pushNotifications: 'true or false',
  extensions: 'a list',
  extendedAgentCard: 'true or false',
};

/** Reads a card file. Rejects with an Error that says everything that is wrong with it and what to do. */
export async function readCardFile(path: string): Promise<CardOverrides> {
  const value = parse(await readNamedFile('CARD', path), path);
  if (kindOf(value) !== 'an object') {
    throw new Error(
      `CARD: ${path} must hold a JSON object with members of an agent card, such as { "name": "My agent" }`,
    );
  }
  const card = value as CardOverrides;
  const faults = findFaults(card, MEMBERS, '');
  if (kindOf(card.capabilities) === 'an object') {
    faults.push(...findFaults(card.capabilities as object, CAPABILITIES, 'capabilities.'));
  }
  if (card.supportedInterfaces?.length === 0) {
    faults.push('supportedInterfaces must not be empty; leave it out for those of the server');
  }
  if (faults.length === 0) return card;
  throw new Error(faults.map((fault) => `CARD: ${path}: ${fault}`).join('\n'));
}

function findFaults(value: object, members: Readonly<Record<string, Kind>>, at: string): string[] {
  const names = Object.keys(members);
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const expected = Object.hasOwn(members, name) ? members[name] : undefined;
    if (expected === undefined) {
      const meant = nearest(name, names);
      const help = meant === undefined ? `known: ${names.join(', ')}` : `did you mean ${meant}?`;
      return [`${at}${name} is no member of an agent card; ${help}`];
    }
    return kindOf(member) === expected ? [] : [`${at}${name} must be ${expected}`];
  });
}

function kindOf(value: unknown): Kind | undefined {
  if (typeof value === 'string') return 'a string';
  if (typeof value === 'boolean') return 'true or false';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : undefined;
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

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`CARD: ${path} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
