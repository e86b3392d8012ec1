/** Credentials and what they prove: the edge of every operation where authentication is on (rule A2). */
import type { AgentCard } from '@tiny-harness/contract/agent-card';
import { ProtocolError } from '../core/errors.ts';
import type { Logger } from '../log.ts';
import type { FailureCount } from './failure-count.ts';

/** What a request carries to prove who sends it. One object a request, however many calls are in it. */
export interface Credentials {
  /** The `Authorization` header as it came. */
  readonly authorization: string | undefined;
  /** The IP address of the client. */
  readonly address: string;
}

/** What a token proves. `because` is for the log and never holds the token. */
export type Verdict =
  | { readonly kind: 'accepted'; readonly participant: string }
  | { readonly kind: 'refused'; readonly because: string; readonly expired: boolean };

/** A way to check tokens. Rejects with ProtocolError UNAVAILABLE while it cannot tell. */
export type VerifyToken = (token: string) => Promise<Verdict>;

/** What an agent card says about how to authenticate. */
export type CardSecurity = Pick<AgentCard, 'securitySchemes' | 'securityRequirements'>;

/** How callers prove who they are. */
export interface Authentication {
  /**
   * The participant whose credentials these are.
   *
   * Rejects with ProtocolError: UNAUTHENTICATED for missing or invalid ones, RATE_LIMITED after too many invalid
   * ones from the same address, UNAVAILABLE while they cannot be checked.
   */
  identify(credentials: Credentials): Promise<string>;
  readonly security: CardSecurity;
}

/** What an authentication is made of. */
export interface AuthenticationParts {
  readonly verify: VerifyToken;
  readonly security: CardSecurity;
  readonly failures: FailureCount;
  readonly log: Logger;
}

/** An authentication by bearer tokens (RFC 6750). The credentials of a request are checked once. */
export function createAuthentication(parts: AuthenticationParts): Authentication {
  const checked = new WeakMap<Credentials, Promise<string>>();
  return {
    security: parts.security,
    identify(credentials) {
      const known = checked.get(credentials) ?? check(parts, credentials);
      checked.set(credentials, known);
      return known;
    },
  };
}

async function check(
  { verify, failures, log }: AuthenticationParts,
  { authorization, address }: Credentials,
): Promise<string> {
  const token = /^bearer +([^ ]+) *$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) {
    throw new ProtocolError('UNAUTHENTICATED', 'Send the header Authorization: Bearer <token>');
  }
  const wait = failures.waitFor(address);
  if (wait > 0) {
    const retryAfter = String(Math.ceil(wait / 1000));
    const message = `Too many invalid tokens came from this address; try again in ${retryAfter} seconds`;
    throw new ProtocolError('RATE_LIMITED', message, { metadata: { retryAfter } });
  }
  const verdict = await verify(token);
  if (verdict.kind === 'accepted') return verdict.participant;
  failures.add(address);
  log.warn({ address, because: verdict.because }, 'a token was refused');
  const message = verdict.expired ? 'The token has expired' : 'The token is not valid';
  throw new ProtocolError('UNAUTHENTICATED', message, { metadata: { error: 'invalid_token' } });
}
