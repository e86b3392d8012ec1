/** What a binding gives to an operation, and what it gets back. Bindings know nothing of tasks, operations nothing of HTTP. */
import type { Credentials } from '../auth/authentication.ts';
import type { JsonText } from '../store/port.ts';

/** The eleven operations, as JSON-RPC and gRPC name them (specification 5.3). */
export const OPERATION_NAMES = [
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'GetExtendedAgentCard',
] as const;

/** The name of an operation. */
export type OperationName = (typeof OPERATION_NAMES)[number];

/** One call of an operation: its parameters as they came, and what came beside them. */
export interface Call {
  readonly operation: OperationName;
  /** The request as JSON; unchecked. */
  readonly params: unknown;
  /** The `A2A-Version` service parameter; undefined or empty means 0.3 (specification 3.6.2). */
  readonly version: string | undefined;
  /** The URIs of the `A2A-Extensions` service parameter, in order. */
  readonly extensions: readonly string[];
  /** The participant whom the `X-Participant-Id` header asserts (rule A2). */
  readonly participant: string | undefined;
  /** What proves who calls; looked at where authentication is on. */
  readonly credentials: Credentials;
  /** The cursor of a stream that is resumed: the `Last-Event-ID` header as it came. */
  readonly lastEventId: string | undefined;
  /** Aborted when the caller is gone. Nothing of a task stops because of it. */
  readonly signal: AbortSignal;
}

/** A call whose request is as it should be and whose caller is known, as far as anybody is to be known. */
export interface KnownCall<Request> {
  readonly request: Request;
  /** Who calls: proven by credentials or, without authentication, asserted by the header; undefined when neither. */
  readonly participant: string | undefined;
  readonly call: Pick<Call, 'extensions' | 'lastEventId' | 'signal'>;
}

/** One event of a stream. */
export interface StreamFrame {
  /** The cursor that resumes after it; undefined when the stream cannot be resumed there. */
  readonly id: number | undefined;
  /** A StreamResponse. */
  readonly body: JsonText;
}

/** What an operation answers: one value, or a stream of StreamResponses. */
export type Answer =
  | { readonly kind: 'value'; readonly body: JsonText }
  | { readonly kind: 'stream'; readonly frames: FrameStream };

/** The frames of a stream. */
export interface FrameStream extends AsyncIterable<StreamFrame> {
  /**
   * Calls the listener when the stream is cut off from the server's side: its reader took so long that the bounded
   * queue is full, or the server stops. Whoever waits for the reader (for `drain`) disconnects it; the reader can
   * resume from the last id it saw. Not called when the stream ends in the ordinary way.
   */
  onCut(listener: () => void): void;
}

/** The server's operations. Rejects with ProtocolError for what the caller did wrong, before a stream begins. */
export interface Operations {
  call(call: Call): Promise<Answer>;
  /** The extensions that are activated of those a caller asked for: what the answer echoes (rule E2). */
  activated(extensions: readonly string[]): readonly string[];
  /** The public agent card as ProtoJSON. */
  readonly card: JsonText;
}
