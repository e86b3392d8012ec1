/** The card of a remote agent, as far as it says how to speak to it. */
import { URI as STATUS_URI } from '@tiny-harness/contract/status/v1';
import { URI as TASK_URI } from '@tiny-harness/contract/task/v1';
import { RemoteFault } from './faults.ts';
import { isObject } from '../../core/json.ts';

/** How a remote agent is spoken to. */
export interface RemoteCard {
  /** Where and over which binding. */
  readonly address: {
    readonly url: string;
    readonly protocolBinding: string;
    readonly protocolVersion: string;
    readonly tenant: string;
  };
  readonly streams: boolean;
  /** The extensions that it has and this server knows what to do with. */
  readonly extensions: readonly string[];
  /** Whether it knows tasks as this server does: their data, participants and who completes what. */
  readonly knowsTasks: boolean;
}

/** In the order of preference. */
const BINDINGS = ['JSONRPC', 'HTTP+JSON'];

/** Where the card is: a URL that ends in `.json` is the card's, any other is the base of the agent's. */
export function cardUrlOf(url: string): string {
  const { href, pathname } = new URL(url);
  if (pathname.endsWith('.json')) return href;
  return new URL('.well-known/agent-card.json', href.replace(/\/*$/, '/')).href;
}

/**
 * Reads a card that somebody else wrote.
 *
 * @throws RemoteFault when it is none, or leads to no A2A 1 interface at the origin
 */
export function readCard(card: unknown, origin: string): RemoteCard {
  if (!isObject(card) || !Array.isArray(card.supportedInterfaces)) {
    throw new RemoteFault('has no agent card of A2A 1.0: "supportedInterfaces" is missing');
  }
  const addresses = card.supportedInterfaces.filter(isObject).map((each) => ({
    url: toText(each.url),
    protocolBinding: toText(each.protocolBinding).toUpperCase(),
    protocolVersion: toText(each.protocolVersion),
    tenant: toText(each.tenant),
  }));
  const spoken = addresses.filter(
    ({ protocolBinding, protocolVersion }) =>
      BINDINGS.includes(protocolBinding) && /^1(\.|$)/.test(protocolVersion),
  );
  if (spoken.length === 0) {
    throw new RemoteFault(`offers no interface of A2A 1.0 over ${BINDINGS.join(' or ')}`);
  }
  const [address] = spoken
    .filter(({ url }) => URL.canParse(url) && new URL(url).origin === origin)
    .sort((a, b) => rank(a) - rank(b));
  if (address === undefined) {
    throw new RemoteFault(
      `wants to be asked at another origin than ${origin}, which REMOTE_AGENTS names; no other is spoken to`,
    );
  }
  return { address, ...readCapabilities(card.capabilities) };
}

function readCapabilities(value: unknown): Omit<RemoteCard, 'address'> {
  const { streaming, extensions }: Readonly<Record<string, unknown>> = isObject(value) ? value : {};
  const uris = Array.isArray(extensions) ? extensions.filter(isObject).map(({ uri }) => uri) : [];
  const known = [TASK_URI, STATUS_URI].filter((uri) => uris.includes(uri));
  return {
    streams: streaming === true,
    extensions: known,
    knowsTasks: known.includes(TASK_URI),
  };
}

function rank({ protocolBinding }: RemoteCard['address']): number {
  return BINDINGS.indexOf(protocolBinding);
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
