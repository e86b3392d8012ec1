/** Asks a model behind an OpenAI-compatible chat-completions endpoint, through the official client. */
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { ModelFault } from './fault.ts';
import type { ModelStep, StepReader } from './read-step.ts';
import { createStepReader } from './read-step.ts';
import { toFault } from './to-fault.ts';

/** Where the model is. */
export interface EndpointSettings {
  /** Up to and without `/chat/completions`. */
  readonly baseUrl: string;
  /** Sent as a bearer token; nothing is sent when there is none. */
  readonly apiKey: string | undefined;
  /** How long the endpoint may send nothing, in milliseconds. */
  readonly silence: number;
}

/** What is asked. */
export type ModelRequest = Omit<ChatCompletionCreateParamsStreaming, 'stream' | 'stream_options'>;

/** What an attempt is given beside the request. */
interface AskOptions {
  /** Aborting it closes the connection. */
  readonly signal: AbortSignal;
  /** The longest answer that is read, in characters. */
  readonly longest: number;
}

/** A model that can be asked. */
export interface Endpoint {
  /** One attempt. Rejects with a ModelFault, or as the signal says. */
  ask(request: ModelRequest, options: AskOptions): Promise<ModelStep>;
}

/** Longer than any silence that is allowed: the client's own timeout would end at the headers. */
const NEVER = 2 ** 31 - 1;

/** How long a stream may last after its answer, in milliseconds: for the count of tokens, and its own end. */
const MOMENT = 1000;

/** An endpoint; the client is loaded with the first question. */
export function createEndpoint(settings: EndpointSettings): Endpoint {
  return {
    async ask(request, { signal, longest }) {
      signal.throwIfAborted();
      const watch = watchSilence(settings.silence);
      const reader = createStepReader();
      try {
        const client = await createClient(settings, watch.alive);
        const chunks = await client.chat.completions.create(
          { ...request, stream: true, stream_options: { include_usage: true } },
          { signal: AbortSignal.any([signal, watch.signal]) },
        );
        await readChunks(chunks, reader, longest, watch);
      } catch (error) {
        signal.throwIfAborted();
        if (reader.ended) return reader.finish();
        if (watch.signal.aborted) throw silenceOf(settings.silence);
        throw toFault(error, settings.apiKey);
      } finally {
        watch.stop();
      }
      return reader.finish();
    },
  };
}

/** An answer that has ended is whole, whatever becomes of its stream: it is left soon, and may break. */
async function readChunks(
  chunks: AsyncIterable<unknown>,
  reader: StepReader,
  longest: number,
  watch: SilenceWatch,
): Promise<void> {
  for await (const chunk of chunks) {
    reader.add(chunk);
    if (reader.ended) watch.hurry();
    else if (reader.length > longest) throw new ModelFault('tokens');
  }
  // The client takes an abort for an end as well.
  if (reader.ended) return;
  const reason = 'the stream ended before the answer did';
  throw new ModelFault('garbled', { reason, retry: true });
}

/** One a request, since each has its own watch. Nothing of it comes from the environment, and it logs nothing. */
async function createClient({ baseUrl, apiKey }: EndpointSettings, alive: () => void) {
  const { OpenAI } = await import('openai');
  return new OpenAI({
    baseURL: baseUrl,
    // It wants one; a header that is null is not sent.
    apiKey: apiKey ?? 'none',
    defaultHeaders: apiKey === undefined ? { Authorization: null } : {},
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    // Its waits cannot be aborted, and have no upper bound.
    maxRetries: 0,
    timeout: NEVER,
    logLevel: 'off',
    // A key must not follow a redirect, and a POST does not survive one.
    fetchOptions: { redirect: 'error' },
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      alive();
      requireNoPage(response);
      return watchBody(response, alive);
    },
  });
}

/** Whoever gives the address of a page for people gets a page. */
function requireNoPage({ headers }: Response): void {
  const type = headers.get('content-type') ?? '';
  if (!type.startsWith('text/html')) return;
  throw new Error(`the endpoint answered with a page (${type}); MODEL_BASE_URL leads to no API`);
}

/** The same response; each piece of its body is a sign of life, comments that keep the connection open included. */
function watchBody(response: Response, alive: () => void): Response {
  const watched = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        alive();
        controller.enqueue(piece);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(watched ?? null, { status, statusText, headers });
}

interface SilenceWatch {
  /** Aborted when nothing was heard for too long. */
  readonly signal: AbortSignal;
  readonly alive: () => void;
  /** From now on there is only a moment left, whatever is heard. */
  readonly hurry: () => void;
  readonly stop: () => void;
}

function watchSilence(longest: number): SilenceWatch {
  const controller = new AbortController();
  const abort = () => {
    controller.abort();
  };
  let timer: NodeJS.Timeout | undefined = setTimeout(abort, longest);
  let last: NodeJS.Timeout | undefined;
  return {
    signal: controller.signal,
    alive: () => timer?.refresh(),
    hurry: () => {
      last ??= setTimeout(abort, MOMENT);
    },
    stop: () => {
      clearTimeout(timer);
      clearTimeout(last);
      timer = undefined;
    },
  };
}

function silenceOf(silence: number): ModelFault {
  const reason = `the endpoint sent nothing for ${silence} ms (MODEL_TIMEOUT)`;
  return new ModelFault('silent', { reason, retry: true });
}
