/**
 * What the conformance tests need to be able to tell a server's agent. An adapter says how that is done with one
 * server; the tests know nothing else of it than its base URL.
 */

/** Where an agent stops until the test lets it go on. */
export interface Hold {
  /** Resolves when the agent has come to it. */
  readonly reached: Promise<void>;
  /** Resolves when the agent was told there that its turn is cut. */
  readonly cut: Promise<void>;
  /** Lets the agent go on; before it has come, it will not stop. */
  release(): void;
  /** Whether the agent stays although its turn was cut, and goes on when it is released. */
  readonly stubborn: boolean;
  /** For the agent: stops here. Rejects when the turn is cut, unless it is stubborn. */
  stop(signal: AbortSignal): Promise<void>;
}

/** One thing that the agent does. The last five end its turn, as a call of `ask_participant` does. */
export type Step =
  | { readonly say: string }
  | { readonly artifact: string; readonly chunks: readonly string[] }
  | { readonly hold: Hold }
  | { readonly authorise: Hold }
  | ToolStep
  | { readonly reply: string }
  | { readonly ask: string; readonly options?: readonly string[] }
  | { readonly complete: string }
  | { readonly fail: string }
  | { readonly reject: string };

/** The agent calls a tool; what the tool answers is told to the test. */
interface ToolStep {
  readonly tool: string;
  /** Its arguments, valid or not. */
  readonly input: unknown;
  readonly told?: (answer: ToolAnswer) => void;
}

/** What an agent is told by a tool. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
}

/** The agent of a server under test. */
export interface AgentControl {
  /**
   * A text: the agent that is sent it does these steps. A turn whose last step does not end it ends with the reply
   * `done`.
   */
  cue(...steps: readonly Step[]): string;
  /** What the agent replies to a text that is no cue. */
  echo(text: string): string;
  /** Resolves when the agent does nothing any more, also in turns that were cut. */
  idle(): Promise<void>;
}

/** How a server is to be started. */
export interface Settings {
  /** The models that may be selected; the first is the default. */
  readonly models?: readonly string[];
  /** Whether a request by nobody fails closed (rule A6). */
  readonly requireParticipant?: boolean;
  /** Whether the agent's tasks are delegated (rule C1). */
  readonly delegated?: boolean;
}

/** A server under test. */
export interface Subject {
  /** Its base URL, without a slash at the end. */
  readonly url: string;
  /** The agent's participant id. */
  readonly agentId: string;
  readonly agent: AgentControl;
  /** What the server logged as an error or a warning, where that can be told. */
  readonly complaints: readonly string[];
  stop(): Promise<void>;
  /** Stops it and starts it again with what it has stored. */
  restart(): Promise<Subject>;
}

/** Starts a server. `CONFORMANCE_ADAPTER` names a module whose `startSubject` is this for another server. */
export type StartSubject = (settings: Settings) => Promise<Subject>;

/** A promise that is settled from outside. */
interface Gate {
  readonly passed: Promise<void>;
  readonly open: () => void;
  readonly close: (error: Error) => void;
}

function createGate(): Gate {
  let open: Gate['open'] = () => undefined;
  let close: Gate['close'] = () => undefined;
  const passed = new Promise<void>((resolve, reject) => {
    open = resolve;
    close = reject;
  });
  return { passed, open, close };
}

/** A hold. */
export function createHold({ stubborn = false } = {}): Hold {
  const reached = createGate();
  const cut = createGate();
  const released = createGate();
  return {
    reached: reached.passed,
    cut: cut.passed,
    release: released.open,
    stubborn,
    async stop(signal) {
      const onAbort = () => {
        cut.open();
        if (!stubborn) released.close(new Error('cut while on hold'));
      };
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
      reached.open();
      await released.passed;
    },
  };
}
