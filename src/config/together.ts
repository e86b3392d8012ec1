/** What is wrong with settings that are each as they should be: those that need each other, or make no sense together. */
import { isLoopback } from './loopback.ts';

/** The settings that say how callers prove who they are, as far as they are looked at here. */
interface Authentication {
  readonly auth: 'none' | 'tokens' | 'oidc' | undefined;
  readonly host: string;
  readonly authTokens: string | undefined;
  readonly authIssuer: string | undefined;
  readonly authAudience: string | undefined;
  readonly authJwks: string | undefined;
}

/** Every fault as a line of its own: what it is, and what to do. */
export function checkTogether(config: Authentication): readonly string[] {
  return [...checkOpen(config), ...checkMissing(config), ...checkUnused(config)];
}

/** Without authentication anybody may say that he is anybody: never by accident where others reach the server. */
function checkOpen({ auth, host }: Authentication): string[] {
  if (auth !== undefined || isLoopback(host)) return [];
  return [
    `AUTH is unset, but HOST ${host} is reached from other machines: whoever reaches it could act as any participant. Set AUTH to tokens or oidc; or HOST to 127.0.0.1; or AUTH to none when that is meant, such as behind a gateway that checks its callers.`,
  ];
}

function checkMissing({ auth, ...config }: Authentication): string[] {
  const faults: string[] = [];
  if (auth === 'tokens' && config.authTokens === undefined) {
    faults.push('AUTH is tokens, but AUTH_TOKENS is unset. Set it to the file with the tokens.');
  }
  if (auth === 'oidc' && config.authIssuer === undefined) {
    faults.push('AUTH is oidc, but AUTH_ISSUER is unset. Set it to the "iss" of the tokens.');
  }
  if (auth === 'oidc' && config.authAudience === undefined) {
    faults.push(
      'AUTH is oidc, but AUTH_AUDIENCE is unset. Set it to the "aud" that the issuer gives tokens for this server; without it tokens for other services would be taken.',
    );
  }
  return faults;
}

/** A setting that is not used points to an AUTH that was forgotten. */
function checkUnused({ auth, ...config }: Authentication): string[] {
  const uses = [
    ['AUTH_TOKENS', config.authTokens, 'tokens'],
    ['AUTH_ISSUER', config.authIssuer, 'oidc'],
    ['AUTH_AUDIENCE', config.authAudience, 'oidc'],
    ['AUTH_JWKS', config.authJwks, 'oidc'],
  ] as const;
  return uses
    .filter(([, value, mode]) => value !== undefined && auth !== mode)
    .map(([variable, , mode]) => {
      return `${variable} is set, but AUTH is ${auth ?? 'unset'}, which does not use it. Set AUTH to ${mode}, or leave ${variable} unset.`;
    });
}
