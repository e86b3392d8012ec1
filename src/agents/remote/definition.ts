/** A remote agent as the operator has named it. */

/** Where a remote agent is, and how it is spoken to. */
export interface RemoteAgentDefinition {
  /** What the agents of this server call it by. */
  readonly id: string;
  /** Its base URL, or that of its card, which ends in `.json`. Only this origin is spoken to. */
  readonly url: string;
  /** What it is good at. */
  readonly description: string;
  /** The bearer token that goes with each request. */
  readonly token: string | undefined;
  /** As whom this server acts there where no token says it: a participant id. */
  readonly participant: string;
}
