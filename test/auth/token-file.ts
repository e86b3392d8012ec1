/** Files of tokens. */
import { createHash } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../support/server.ts';

/** Whose the tokens are: each participant by its token. */
export type Owners = Readonly<Record<string, string>>;

/** The SHA-256 of a token, as its file has it. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Writes a file of these tokens; gives its path. */
export function writeTokens(owners: Owners, path = join(createFolder(), 'tokens.json')): string {
  const tokens = Object.entries(owners).map(([token, participant]) => ({
    sha256: hashOf(token),
    participant,
  }));
  return writeText(JSON.stringify({ tokens }), path);
}

/** Writes a file whole, as an operator's tool does; gives its path. */
export function writeText(text: string, path = join(createFolder(), 'tokens.json')): string {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
  return path;
}

/** The header with a token. */
export function bearer(token: string): { readonly headers: { readonly authorization: string } } {
  return { headers: { authorization: `Bearer ${token}` } };
}
