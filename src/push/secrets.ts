/** How the secrets of push notification configs are kept. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Seals text, and opens what it sealed. */
export interface SecretBox {
  /** The text, sealed for this owner: an opaque string. */
  seal(text: string, owner: string): string;
  /**
   * The text that was sealed for this owner.
   *
   * @throws SecretsError when it was sealed with another key or for another owner, or was changed
   */
  open(sealed: string, owner: string): string;
}

/** Secrets that cannot be opened. The message is for the operator: it names the setting, never a secret. */
export class SecretsError extends Error {
  override readonly name = 'SecretsError';
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** AES-256-GCM; then base64url of nonce, tag and ciphertext. */
const SEALED = 'v1.';
/** Not encrypted: the text follows. */
const PLAIN = 'plain.';

/**
 * A box that encrypts with AES-256-GCM under a key of 32 bytes, each time with a random nonce, bound to the owner.
 * Without a key it encrypts nothing. With one it still opens what was kept before there was one.
 */
export function createSecretBox(key: Uint8Array | undefined): SecretBox {
  if (key !== undefined && key.length !== KEY_BYTES) {
    throw new RangeError(`the key of a secret box has ${KEY_BYTES} bytes, not ${key.length}`);
  }
  return {
    seal: (text, owner) => (key === undefined ? PLAIN + text : encrypt(text, owner, key)),
    open(sealed, owner) {
      if (sealed.startsWith(PLAIN)) return sealed.slice(PLAIN.length);
      if (!sealed.startsWith(SEALED)) {
        throw new SecretsError('the secrets are in a form that this version does not know');
      }
      if (key === undefined) {
        throw new SecretsError(
          'the secrets are encrypted; set SECRET_KEY to the key they were kept with',
        );
      }
      return decrypt(sealed.slice(SEALED.length), owner, key);
    },
  };
}

function encrypt(text: string, owner: string, key: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(owner));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return SEALED + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

function decrypt(sealed: string, owner: string, key: Uint8Array): string {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, options);
    decipher.setAAD(Buffer.from(owner));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
    return decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw new SecretsError(
      'the secrets cannot be opened: SECRET_KEY is not the key they were kept with, or they were changed',
    );
  }
}
