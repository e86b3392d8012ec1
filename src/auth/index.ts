/** The authentication that the config asks for. */
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import type { Authentication, CardSecurity, VerifyToken } from './authentication.ts';
import { createAuthentication } from './authentication.ts';
import { createFailureCount } from './failure-count.ts';

/** The settings that it is made of. */
type AuthConfig = Pick<
  Config,
  | 'auth'
  | 'authTokens'
  | 'authIssuer'
  | 'authAudience'
  | 'authJwks'
  | 'authClaim'
  | 'authFailures'
  | 'agentId'
>;

/**
 * How callers prove who they are; undefined where they need not.
 *
 * Rejects with an Error that says what is wrong with the file of the tokens.
 */
export async function openAuthentication(
  config: AuthConfig,
  log: Logger,
  now: () => number,
): Promise<Authentication | undefined> {
  const way = await openWay(config, log, now);
  if (way === undefined) return undefined;
  return createAuthentication({
    ...way,
    failures: createFailureCount(config.authFailures, now),
    log,
  });
}

interface Way {
  readonly verify: VerifyToken;
  readonly security: CardSecurity;
}

async function openWay(
  config: AuthConfig,
  log: Logger,
  now: () => number,
): Promise<Way | undefined> {
  const { auth, agentId } = config;
  if (auth === 'tokens') {
    const { createTokenVerifier } = await import('./tokens.ts');
    const path = required(config.authTokens, 'AUTH_TOKENS');
    return { verify: await createTokenVerifier({ path, agentId, now, log }), security: BEARER };
  }
  if (auth === 'oidc') {
    const { createJwtVerifier, discoveryUrl } = await import('./oidc.ts');
    const issuer = required(config.authIssuer, 'AUTH_ISSUER');
    const audience = required(config.authAudience, 'AUTH_AUDIENCE');
    const { authJwks: jwks, authClaim: claim } = config;
    const options = { issuer, audience, jwks, claim, agentId, now, log };
    const security = oidcSecurity(discoveryUrl(issuer));
    return { verify: await createJwtVerifier(options), security };
  }
  return undefined;
}

const BEARER: CardSecurity = {
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
};

/** Either suffices: both end in the same header. */
function oidcSecurity(openIdConnectUrl: string): CardSecurity {
  return {
    securitySchemes: {
      openIdConnect: { openIdConnectSecurityScheme: { openIdConnectUrl } },
      bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } },
    },
    securityRequirements: [
      { schemes: { openIdConnect: { list: [] } } },
      { schemes: { bearer: { list: [] } } },
    ],
  };
}

/** Settings that need each other are checked when they are read; a config made otherwise fails here. */
function required<T>(value: T | undefined, variable: string): T {
  if (value === undefined) throw new Error(`${variable} is unset`);
  return value;
}
