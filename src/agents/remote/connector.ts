/** Finds out how a remote agent is spoken to. */
import type { RemoteCard } from './card.ts';
import { cardUrlOf, readCard } from './card.ts';
import type { RemoteClient } from './client.ts';
import { createRemoteClient, translate } from './client.ts';
import type { RemoteAgentDefinition } from './definition.ts';
import { RemoteFault } from './faults.ts';
import { createRemoteFetch } from './fetch.ts';
import { createSdkClient, loadSdk } from './sdk.ts';

const MEBIBYTE = 1024 ** 2;

/** How much of a card, of an answer and of a stream is read, in bytes. */
const CARD_BYTES = MEBIBYTE;
const ANSWER_BYTES = 8 * MEBIBYTE;
const STREAM_BYTES = 64 * MEBIBYTE;

/** For how many milliseconds a card holds. */
const CARD_AGE = 300_000;

/** Gives the client of a remote agent, by what is known of its card; with `anew`, by the card as it is now. */
export type Connect = (signal: AbortSignal, anew?: boolean) => Promise<RemoteClient>;

/** Connects when it is asked to, and keeps what it learned for a few minutes. `now` is in milliseconds since 1970. */
export function createConnector(definition: RemoteAgentDefinition, now: () => number): Connect {
  let known: { readonly client: RemoteClient; readonly until: number } | undefined;
  return async (signal, anew = false) => {
    if (known !== undefined && !anew && now() < known.until) return known.client;
    const client = await connect(definition, signal);
    known = { client, until: now() + CARD_AGE };
    return client;
  };
}

async function connect(
  { url, token, participant }: RemoteAgentDefinition,
  signal: AbortSignal,
): Promise<RemoteClient> {
  const { origin } = new URL(url);
  const limits = { origin, token, streamBytes: STREAM_BYTES };
  const card = await fetchCard(
    createRemoteFetch({ ...limits, answerBytes: CARD_BYTES }),
    url,
    signal,
  );
  const sdk = await loadSdk();
  const fetchImpl = createRemoteFetch({ ...limits, answerBytes: ANSWER_BYTES });
  const client = await createSdkClient(sdk, card, fetchImpl);
  const headers: Record<string, string> = {};
  if (card.extensions.length > 0) headers['A2A-Extensions'] = card.extensions.join(',');
  if (card.knowsTasks && token === undefined) headers['X-Participant-Id'] = participant;
  return createRemoteClient(client, card, sdk, headers);
}

async function fetchCard(get: typeof fetch, url: string, signal: AbortSignal): Promise<RemoteCard> {
  const where = cardUrlOf(url);
  const headers = { Accept: 'application/json', 'A2A-Version': '1.0' };
  const response = await get(where, { headers, signal });
  if (!response.ok) {
    await response.body?.cancel();
    throw new RemoteFault(`has no agent card at ${where} (status ${response.status})`);
  }
  const card = await response.json().catch((error: unknown) => {
    throw translate(error, signal);
  });
  return readCard(card, new URL(url).origin);
}
