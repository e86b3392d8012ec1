import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecretBox, SecretsError } from '../../src/push/secrets.ts';

const key = randomBytes(32);

describe('a secret box', () => {
  it('opens what it sealed, and seals each time anew', () => {
    const box = createSecretBox(key);
    const sealed = box.seal('tökén', 'a');
    expect(sealed).toMatch(/^v1\.[\w-]+$/);
    expect(sealed).not.toBe(box.seal('tökén', 'a'));
    expect(box.open(sealed, 'a')).toBe('tökén');
  });

  it('keeps plain text without a key, which one with a key still opens', () => {
    const sealed = createSecretBox(undefined).seal('token', 'a');
    expect(sealed).toBe('plain.token');
    expect(createSecretBox(key).open(sealed, 'a')).toBe('token');
  });

  it('names the setting when the key is missing or another one', () => {
    const sealed = createSecretBox(key).seal('token', 'a');
    expect(() => createSecretBox(undefined).open(sealed, 'a')).toThrow(
      new SecretsError('the secrets are encrypted; set SECRET_KEY to the key they were kept with'),
    );
    expect(() => createSecretBox(randomBytes(32)).open(sealed, 'a')).toThrow(
      /SECRET_KEY is not the key/,
    );
  });

  it('opens nothing for another owner, and nothing that was changed or cut', () => {
    const box = createSecretBox(key);
    const sealed = box.seal('token', 'a');
    expect(() => box.open(sealed, 'b')).toThrow(SecretsError);
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(() => box.open(`v1.${changed.toString('base64url')}`, 'a')).toThrow(SecretsError);
      const cut = bytes.subarray(0, at).toString('base64url');
      expect(() => box.open(`v1.${cut}`, 'a')).toThrow(SecretsError);
    }
    expect(() => box.open('v2.abc', 'a')).toThrow('does not know');
  });

  it('takes no key of another length', () => {
    expect(() => createSecretBox(randomBytes(16))).toThrow('has 32 bytes, not 16');
  });
});
