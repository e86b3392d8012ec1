/** A remote agent over the SDK's client. What comes back is checked against the contract: nothing else goes further. */
import type { StreamResponse as SdkEvent } from '@a2a-js/sdk';
import type { Client, RequestOptions } from '@a2a-js/sdk/client';
import type { Message, StreamResponse } from '@tiny-harness/contract/a2a';
import { parseStreamResponse } from '@tiny-harness/contract/a2a';
import type { RemoteCard } from './card.ts';
import { clip, RemoteFault, RemoteNonsense, RemoteTrouble } from './faults.ts';
import type { Sdk } from './sdk.ts';

/** Events in the order in which they come. */
type Events = AsyncGenerator<StreamResponse, void, undefined>;

/**
 * A remote agent, as far as it is made use of. Everything rejects with a RemoteFault for what does not pass, and with
 * a RemoteTrouble for what may; when the signal is aborted, with anything.
 */
export interface RemoteClient {
  readonly card: RemoteCard;
  /** Sends a message, and gives the answer without waiting for an end of the work. */
  send(message: Message, signal: AbortSignal): Promise<StreamResponse>;
  /** Sends a message, and gives what follows from it. */
  stream(message: Message, signal: AbortSignal): Events;
  subscribe(taskId: string, signal: AbortSignal): Events;
  read(taskId: string, signal: AbortSignal): Promise<StreamResponse>;
  cancel(taskId: string, signal: AbortSignal): Promise<StreamResponse>;
}

/** What the remote agent refused: the reason as A2A names it. */
export class RemoteRefusal extends RemoteFault {
  readonly reason: string;

  constructor(words: string, reason: string) {
    super(words);
    this.reason = reason;
  }
}

/** A remote agent with this card; the headers go with each request. */
export function createRemoteClient(
  client: Client,
  card: RemoteCard,
  sdk: Sdk,
  headers: Readonly<Record<string, string>>,
): RemoteClient {
  return new SdkClient(client, card, sdk, headers);
}

class SdkClient implements RemoteClient {
  readonly card: RemoteCard;
  readonly #client: Client;
  readonly #sdk: Sdk;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    client: Client,
    card: RemoteCard,
    sdk: Sdk,
    headers: Readonly<Record<string, string>>,
  ) {
    this.card = card;
    this.#client = client;
    this.#sdk = sdk;
    this.#headers = headers;
  }

  send(message: Message, signal: AbortSignal): Promise<StreamResponse> {
    return this.#ask(signal, async () => {
      const value = await this.#client.sendMessage(...this.#requestOf(message, signal));
      const $case = 'messageId' in value ? 'message' : 'task';
      return { payload: { $case, value } as NonNullable<SdkEvent['payload']> };
    });
  }

  stream(message: Message, signal: AbortSignal): Events {
    return this.#listen(signal, () =>
      this.#client.sendMessageStream(...this.#requestOf(message, signal)),
    );
  }

  subscribe(id: string, signal: AbortSignal): Events {
    return this.#listen(signal, () =>
      this.#client.resubscribeTask({ id, tenant: '' }, this.#options(signal)),
    );
  }

  read(id: string, signal: AbortSignal): Promise<StreamResponse> {
    return this.#ask(signal, async () => {
      const request = { id, tenant: '', historyLength: 1 };
      const value = await this.#client.getTask(request, this.#options(signal));
      return { payload: { $case: 'task', value } };
    });
  }

  cancel(id: string, signal: AbortSignal): Promise<StreamResponse> {
    return this.#ask(signal, async () => {
      const request = { id, tenant: '', metadata: undefined };
      const value = await this.#client.cancelTask(request, this.#options(signal));
      return { payload: { $case: 'task', value } };
    });
  }

  #options(signal: AbortSignal): RequestOptions {
    return { signal, serviceParameters: { ...this.#headers } };
  }

  #requestOf(message: Message, signal: AbortSignal) {
    const request = { message, configuration: { returnImmediately: true } };
    return [this.#sdk.SendMessageRequest.fromJSON(request), this.#options(signal)] as const;
  }

  async #ask(signal: AbortSignal, call: () => Promise<SdkEvent>): Promise<StreamResponse> {
    try {
      return this.#check(await call());
    } catch (error) {
      throw translate(error, signal);
    }
  }

  async *#listen(signal: AbortSignal, call: () => AsyncIterable<SdkEvent>): Events {
    const events = call()[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await events.next().catch((error: unknown) => {
          throw translate(error, signal);
        });
        if (next.done === true) return;
        yield this.#check(next.value);
      }
    } finally {
      await events.return?.();
    }
  }

  #check(event: SdkEvent): StreamResponse {
    const parsed = parseStreamResponse(this.#sdk.StreamResponse.toJSON(event));
    if (parsed.ok) return parsed.value;
    // The SDK calls every state UNRECOGNIZED that it does not know, and leaves out one that was not specified.
    if (parsed.errors.some(({ path }) => /\/status(\/state)?$/.test(path))) {
      throw new RemoteFault('does not say in which state of A2A 1.0 the task is');
    }
    throw new RemoteNonsense('answers with what is not A2A 1.0');
  }
}

/** What an error of the SDK or of a connection means: a RemoteFault or a RemoteTrouble, or why the signal was aborted. */
export function translate(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof RemoteFault || each instanceof RemoteTrouble) return each;
    const reason = reasonOf(each);
    if (reason === 'INTERNAL_ERROR') return new RemoteTrouble('answers with an internal error');
    if (reason !== undefined) {
      return new RemoteRefusal(`refused: ${clip(each.message)} (${reason})`, reason);
    }
  }
  if (error instanceof TypeError && error.message === 'terminated') {
    return new RemoteTrouble('broke its answer off');
  }
  return new RemoteNonsense('answers with what is not A2A 1.0');
}

/** The reason of an A2A error; undefined for any other error. */
function reasonOf(error: Error): string | undefined {
  const { reason } = error as { readonly reason?: unknown };
  return typeof reason === 'string' ? reason : undefined;
}
