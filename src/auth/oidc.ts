/** JSON Web Tokens of an OpenID Connect issuer, checked with the keys that it publishes. */
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import { isSecureUrl } from '../config/values.ts';
import { ProtocolError } from '../core/errors.ts';
import type { Logger } from '../log.ts';
import type { Verdict, VerifyToken } from './authentication.ts';
import { findIdFault } from './participant.ts';

/** What a token must be. */
export interface OidcOptions {
  /** `iss`, to the letter. */
  readonly issuer: string;
  /** One of `aud`. */
  readonly audience: string;
  /** Where the issuer's keys are; found by discovery when undefined. */
  readonly jwks: string | undefined;
  /** The claim that is the id of the participant. */
  readonly claim: string;
  readonly agentId: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** Signatures by a private key. Without those by a shared secret nobody can sign with a key that is public. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** Seconds by which the issuer's clock and ours may differ. */
const CLOCK_TOLERANCE = 30;

/** Milliseconds that the issuer may take to answer. */
const TIMEOUT = 5000;

/** Where OpenID Connect Discovery 1.0 (section 4) has the document of an issuer. */
export function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/**
 * Checks JWTs. Nothing is fetched before the first one comes. Keys are kept for ten minutes; a token with a key that
 * is not among them has them fetched again, at most twice a minute.
 */
export async function createJwtVerifier(options: OidcOptions): Promise<VerifyToken> {
  const { jwtVerify, errors } = await import('jose');
  const { issuer, audience, claim, now } = options;
  const checks: JWTVerifyOptions = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_TOLERANCE,
    // A token that never expires cannot be taken back.
    requiredClaims: ['exp', claim],
  };
  const getKey = createKeyGetter(options);
  return async (token) => {
    try {
      const currentDate = new Date(now());
      const { payload } = await jwtVerify(token, getKey, { ...checks, currentDate });
      return readParticipant(payload, options);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const because = error instanceof Error ? error.message : 'not a JWT';
      return { kind: 'refused', because, expired: error instanceof errors.JWTExpired };
    }
  };
}

function readParticipant(payload: JWTPayload, { claim, agentId }: OidcOptions): Verdict {
  const id = payload[claim];
  const fault = typeof id === 'string' ? findIdFault(id, agentId) : 'must be a string';
  return fault === undefined
    ? { kind: 'accepted', participant: id as string }
    : { kind: 'refused', because: `the claim ${claim} ${fault}`, expired: false };
}

/**
 * Finds the key for a token. That there is none is the token's fault; that the keys cannot be had is not: then it
 * rejects with ProtocolError UNAVAILABLE.
 */
function createKeyGetter({ issuer, jwks, log }: OidcOptions): JWTVerifyGetKey {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  return async (header, token) => {
    const { createRemoteJWKSet, errors } = await import('jose');
    try {
      keys ??= (jwks === undefined ? discoverKeys(issuer) : Promise.resolve(jwks)).then((url) =>
        createRemoteJWKSet(new URL(url), { timeoutDuration: TIMEOUT }),
      );
      const found = await keys.catch((error: unknown) => {
        keys = undefined;
        throw error;
      });
      return await found(header, token);
    } catch (error) {
      if (
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWKSMultipleMatchingKeys
      ) {
        throw error;
      }
      log.error({ err: error, issuer }, 'the keys of the issuer cannot be had');
      const message = 'Tokens cannot be checked at the moment; try again';
      throw new ProtocolError('UNAVAILABLE', message);
    }
  };
}

async function discoverKeys(issuer: string): Promise<string> {
  const url = discoveryUrl(issuer);
  const signal = AbortSignal.timeout(TIMEOUT);
  const response = await fetch(url, { redirect: 'error', signal });
  if (!response.ok) throw new Error(`${url} was answered with status ${response.status}`);
  const document = Object(await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
  if (document.issuer !== issuer) {
    throw new Error(
      `${url} is the document of another issuer than ${issuer}; set AUTH_ISSUER to what its "issuer" says`,
    );
  }
  const { jwks_uri: keys } = document;
  if (typeof keys !== 'string' || !isSecureUrl(keys)) {
    throw new Error(`${url} must have the member "jwks_uri", an https URL`);
  }
  return keys;
}
