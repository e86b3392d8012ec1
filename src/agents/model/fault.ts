/** What goes wrong between the agent and its model: what participants are told, and what only the log says. */

/** A fault's kinds, and the words that participants are told. */
const WORDS = {
  unreachable: 'The model could not be reached. The server has logged why.',
  busy: 'The model is overloaded or out of order. The server has logged why.',
  refused: 'The model did not take the request. The server has logged why.',
  silent: 'The model did not answer in time. The server has logged why.',
  garbled: "The model's answer did not arrive whole. The server has logged why.",
  empty: 'The model gave no answer. The server has logged why.',
  'too-long':
    'The conversation is longer than the model can take at once. The server has logged why.',
  tokens:
    'The agent stopped: this message took more of the model than one message may. The limit is set by the server (MODEL_TOKENS).',
  steps:
    'The agent stopped: it asked its model more often than it may for one message, and was not done.',
  calls: 'The agent stopped: its model went on calling tools in a way that cannot be understood.',
} as const;

/** What is the agent's own doing. */
const LIMITS: ReadonlySet<ModelFaultKind> = new Set(['tokens', 'steps', 'calls']);

/** A fault's kind. */
export type ModelFaultKind = keyof typeof WORDS;

/** What is known of a fault; for the log alone. */
export interface FaultDetails {
  /** What happened, without secrets. */
  readonly reason?: string;
  /** The HTTP status of the answer. */
  readonly status?: number;
  /** The endpoint's own id of the request, for whoever runs it. */
  readonly requestId?: string;
  /** Whether the same request may go well later. */
  readonly retry?: boolean;
  /** How long the endpoint asks to wait before that, in milliseconds. */
  readonly retryAfter?: number | undefined;
}

/** The model did not do its part. The turn ends with `words`. */
export class ModelFault extends Error {
  override readonly name = 'ModelFault';
  readonly kind: ModelFaultKind;
  readonly details: FaultDetails;

  constructor(kind: ModelFaultKind, details: FaultDetails = {}) {
    super(details.reason ?? WORDS[kind]);
    this.kind = kind;
    this.details = details;
  }

  /** Whether the same may go well another time: the agent itself has used up nothing that it has a limit of. */
  get isPassing(): boolean {
    return !LIMITS.has(this.kind);
  }

  /** What a participant is told: no addresses, no answers of the endpoint, no secrets. */
  get words(): string {
    return WORDS[this.kind];
  }
}
