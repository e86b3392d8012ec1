/** The closed set of refusals. Each says what is wrong in words; `http/errors.ts` gives each its wire form. */

/** The reason of a refusal: A2A's own (specification 3.3.2) and those that every API has. */
export type ErrorReason =
  | 'TASK_NOT_FOUND'
  | 'TASK_NOT_CANCELABLE'
  | 'PUSH_NOTIFICATION_NOT_SUPPORTED'
  | 'UNSUPPORTED_OPERATION'
  | 'CONTENT_TYPE_NOT_SUPPORTED'
  | 'INVALID_AGENT_RESPONSE'
  | 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'
  | 'EXTENSION_SUPPORT_REQUIRED'
  | 'VERSION_NOT_SUPPORTED'
  | 'INVALID_PARAMS'
  | 'UNAUTHENTICATED'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE'
  | 'INTERNAL';

/** One field of a request that is not as it should be, as in `google.rpc.BadRequest`. */
export interface FieldViolation {
  /** Where, from the request's root: `message.parts[0].text`. Empty for the request itself. */
  readonly field: string;
  /** What is wrong, what was expected and what came: one sentence. */
  readonly description: string;
}

/** What a refusal carries beside its reason and words. */
export interface ErrorDetails {
  /** Strings that help a program: `taskId`, `state`. Never anything that the caller may not see. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** With INVALID_PARAMS: every field that is wrong. */
  readonly violations?: readonly FieldViolation[];
}

/** A request that is refused. Its message and details are for the caller's eyes. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly reason: ErrorReason;
  readonly details: ErrorDetails;

  constructor(reason: ErrorReason, message: string, details: ErrorDetails = {}) {
    super(message);
    this.reason = reason;
    this.details = details;
  }
}

/** The same words whether the task does not exist or is not the caller's to see (rule A2). */
export function taskNotFound(taskId: string): ProtocolError {
  return new ProtocolError(
    'TASK_NOT_FOUND',
    'The task does not exist or is not accessible to the caller',
    { metadata: { taskId } },
  );
}

/** A refusal of fields that are wrong; the message repeats the first. */
export function invalidParams(violations: readonly FieldViolation[]): ProtocolError {
  const [first] = violations;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  const message = first === undefined ? 'Invalid parameters' : `${first.description}${more}`;
  return new ProtocolError('INVALID_PARAMS', message, { violations });
}

/** A JSON pointer as protocol buffers write a field: `/message/parts/0/text` is `message.parts[0].text`; `from` is where it starts. */
export function toFieldPath(pointer: string, from = ''): string {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, step) => {
      if (/^\d+$/.test(step) && path !== '') return `${path}[${step}]`;
      return path === '' ? step : `${path}.${step}`;
    }, from);
}
