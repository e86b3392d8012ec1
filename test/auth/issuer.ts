/** An OpenID Connect issuer on this machine, as far as a server that checks its tokens sees it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CryptoKey, JWK } from 'jose';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

/** A key pair of an issuer. */
export interface SigningKey {
  readonly alg: string;
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
}

/** The issuer; what it serves can be changed. */
export interface Issuer {
  readonly url: string;
  /** Keys that it publishes. */
  keys: readonly SigningKey[];
  /** What it answers with in the place of what is asked for. */
  broken: { readonly status: number; readonly body: string } | undefined;
  /** Members of its discovery document that are otherwise. */
  discovery: Readonly<Record<string, unknown>>;
  /** Paths that were asked for. */
  readonly asked: readonly string[];
}

/** Starts an issuer with one key; it is gone when the test has ended. */
export async function startIssuer(key: SigningKey): Promise<Issuer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const { status, body } = issuer.broken ?? { status: 200, body: JSON.stringify(answer()) };
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
    response.end(body);
    function answer(): object {
      if (request.url === '/keys') return { keys: issuer.keys.map(({ jwk }) => jwk) };
      return { issuer: issuer.url, jwks_uri: `${issuer.url}/keys`, ...issuer.discovery };
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const issuer: Issuer = {
    url: `http://127.0.0.1:${port}`,
    keys: [key],
    broken: undefined,
    discovery: {},
    asked,
  };
  return issuer;
}

/** A new key pair. */
export async function createKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, kid, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg } };
}

/** A token that is as it should be, but for what the test says; an undefined claim is left out. */
export function signToken(
  issuer: Pick<Issuer, 'url'>,
  key: SigningKey,
  claims: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const seconds = Math.floor(Date.now() / 1000);
  const usual = { iss: issuer.url, aud: 'agent', sub: 'alice', iat: seconds, exp: seconds + 300 };
  return new SignJWT({ ...usual, ...claims })
    .setProtectedHeader({ alg: key.alg, kid: key.kid })
    .sign(key.privateKey);
}

/** A token that is signed with the public key as if that were a shared secret. */
export async function signWithPublicKey(issuer: Issuer, key: SigningKey): Promise<string> {
  const secret = new TextEncoder().encode(await exportSPKI(key.publicKey));
  const seconds = Math.floor(Date.now() / 1000);
  return new SignJWT({ iss: issuer.url, aud: 'agent', sub: 'alice', exp: seconds + 300 })
    .setProtectedHeader({ alg: 'HS256', kid: key.kid })
    .sign(secret);
}
