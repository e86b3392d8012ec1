/** Static bearer tokens: a file knows their hashes, never the tokens. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Logger } from '../log.ts';
import { readNamedFile } from '../read-file.ts';
import type { VerifyToken } from './authentication.ts';
import { findIdFault } from './participant.ts';
import { isObject } from '../core/json.ts';

/** Milliseconds after which the file is looked at again. */
const LOOK_AGAIN = 1000;

/** What the file holds, in words. */
const SHAPE =
  'a JSON object with one member, "tokens", a list such as [{ "sha256": "<64 hexadecimal digits>", "participant": "alice" }]';

/** A token, and whose it is. */
interface TokenEntry {
  readonly hash: Buffer;
  readonly participant: string;
}

/** Where the tokens are, and what is needed to read them. */
interface TokenFile {
  readonly path: string;
  readonly agentId: string;
  readonly now: () => number;
  readonly log: Logger;
}

/**
 * Checks tokens against the file, which is read again when it has changed, up to a second after that. While it cannot
 * be read, or is not as it should be, the tokens that were read before stay valid and the log says why.
 *
 * Rejects with an Error that names the file and every wrong entry when the file is wrong from the start.
 */
export async function createTokenVerifier(file: TokenFile): Promise<VerifyToken> {
  const { path, agentId, now, log } = file;
  let version = await versionOf(path);
  let tokens = await readTokenFile(path, agentId);
  if (tokens.length === 0) log.warn({ path }, 'the file holds no tokens: nobody can call');
  let lookedAt = now();
  const refresh = async (): Promise<void> => {
    const current = await versionOf(path);
    if (current === version) return;
    // Set first: a file that is wrong is complained about once, not with each request.
    version = current;
    tokens = await readTokenFile(path, agentId);
    log.info({ path, tokens: tokens.length }, 'the tokens were read again');
  };
  return async (token) => {
    if (now() - lookedAt >= LOOK_AGAIN) {
      lookedAt = now();
      await refresh().catch((error: unknown) => {
        // The message says it all; a stack would bury it.
        const because = error instanceof Error ? error.message : String(error);
        log.error({ path, because }, 'the tokens stay as they were: their file cannot be used');
      });
    }
    const participant = findParticipant(tokens, token);
    return participant === undefined
      ? { kind: 'refused', because: 'it is not in the file', expired: false }
      : { kind: 'accepted', participant };
  };
}

/** Compares with every entry, in a time that does not tell how much of one is right. */
function findParticipant(tokens: readonly TokenEntry[], token: string): string | undefined {
  const hash = createHash('sha256').update(token).digest();
  let found: string | undefined;
  for (const entry of tokens) if (timingSafeEqual(entry.hash, hash)) found = entry.participant;
  return found;
}

/** Changes whenever the file does; the same for a file that is not there. */
async function versionOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(path);
    return [ino, size, mtimeMs, ctimeMs].join(':');
  } catch {
    return 'missing';
  }
}

async function readTokenFile(path: string, agentId: string): Promise<readonly TokenEntry[]> {
  const value = parse(await readNamedFile('AUTH_TOKENS', path), path);
  if (!isObject(value) || !Array.isArray(value.tokens) || Object.keys(value).length !== 1) {
    throw new Error(`AUTH_TOKENS: ${path} must be ${SHAPE}`);
  }
  const entries: readonly unknown[] = value.tokens;
  const faults = entries.flatMap((entry, at) =>
    findFaults(entry, agentId).map((fault) => `AUTH_TOKENS: ${path}: tokens[${at}]${fault}`),
  );
  const hashes = entries.map((entry) =>
    isObject(entry) ? String(entry.sha256).toLowerCase() : '',
  );
  for (const [at, hash] of hashes.entries()) {
    const first = hashes.indexOf(hash);
    if (first < at && hash !== '') {
      faults.push(
        `AUTH_TOKENS: ${path}: tokens[${at}].sha256 is that of tokens[${first}] as well; a token is one participant's`,
      );
    }
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return (entries as readonly { sha256: string; participant: string }[]).map((entry) => ({
    hash: Buffer.from(entry.sha256, 'hex'),
    participant: entry.participant,
  }));
}

/** What is wrong with an entry, to go after its place. Never repeats the hash: it may be a token by mistake. */
function findFaults(entry: unknown, agentId: string): string[] {
  if (!isObject(entry)) return [' must be an object with the members "sha256" and "participant"'];
  const { sha256, participant, ...others } = entry;
  const faults = Object.keys(others).map(
    (name) => ` has the member ${JSON.stringify(name)}; it takes "sha256" and "participant" alone`,
  );
  if (typeof sha256 !== 'string' || !/^[\da-f]{64}$/i.test(sha256)) {
    faults.push(
      '.sha256 must be the SHA-256 of the token as 64 hexadecimal digits, such as from `printf %s "$TOKEN" | openssl dgst -sha256`',
    );
  }
  if (typeof participant !== 'string') faults.push('.participant must be a string');
  else {
    const fault = findIdFault(participant, agentId);
    if (fault !== undefined) faults.push(`.participant ${fault}`);
  }
  return faults;
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words would repeat a piece of the file.
    throw new Error(`AUTH_TOKENS: ${path} is not JSON; it must be ${SHAPE}`);
  }
}
