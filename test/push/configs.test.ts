import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../src/core/errors.ts';
import { createPushConfigs, toReadableConfig } from '../../src/push/configs.ts';
import { createWebhookGuard } from '../../src/push/guard.ts';
import { createSecretBox, SecretsError } from '../../src/push/secrets.ts';

const guard = createWebhookGuard([], () => Promise.reject(new Error('no network')));
const configs = createPushConfigs({ guard, box: createSecretBox(randomBytes(32)) });
const place = { taskId: 't', owner: 'alice', id: 'c' };
const url = 'https://client.example/hook';
const authentication = { scheme: 'Bearer', credentials: 's3cret' };

describe('push configs', () => {
  it('seals the secrets and gives none of them back', async () => {
    const kept = await configs.seal(
      { url, token: 'tok', authentication, id: 'x', tenant: 'y' },
      place,
    );
    expect(kept).toEqual({ ...place, url, secrets: expect.any(String) as string });
    expect(kept.secrets).not.toMatch(/tok|s3cret/);
    expect(configs.open(kept)).toEqual({ token: 'tok', authentication });
    expect(toReadableConfig(kept)).toEqual({
      id: 'c',
      taskId: 't',
      url,
      authentication: { scheme: 'Bearer' },
    });
  });

  it('keeps no secrets where there are none', async () => {
    const kept = await configs.seal({ url, token: '' }, place);
    expect(kept).toEqual({ ...place, url, secrets: undefined });
    expect(configs.open(kept)).toEqual({});
    expect(toReadableConfig(kept)).toEqual({ id: 'c', taskId: 't', url });
  });

  it('opens secrets for no other webhook than theirs', async () => {
    const kept = await configs.seal({ url, token: 'tok' }, place);
    for (const other of [
      { url: 'https://evil.example/' },
      { id: 'd' },
      { owner: 'bob' },
      { taskId: 'u' },
    ]) {
      expect(() => configs.open({ ...kept, ...other })).toThrow(SecretsError);
    }
  });

  it('names every field that is wrong, from the root of the request', async () => {
    const config = {
      url: 'ftp://client.example',
      token: 'a\r\nX-Evil: 1',
      authentication: { scheme: 'Bearer x', credentials: 'sn☃wman' },
    };
    const refusal: unknown = await configs
      .seal(config, place, 'configuration.')
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ProtocolError);
    const { reason, message, details } = refusal as ProtocolError;
    expect(reason).toBe('INVALID_PARAMS');
    expect(message).toBe('configuration.url must be an http or https URL, not ftp: (and 3 more)');
    expect(details.violations?.map(({ field }) => field)).toEqual([
      'configuration.url',
      'configuration.token',
      'configuration.authentication.scheme',
      'configuration.authentication.credentials',
    ]);
  });

  it('takes secrets of visible Latin-1', async () => {
    const kept = await configs.seal(
      { url, token: 'Grüße, "x"~', authentication: { scheme: 'x-Key' } },
      place,
    );
    expect(configs.open(kept)).toEqual({
      token: 'Grüße, "x"~',
      authentication: { scheme: 'x-Key' },
    });
  });
});
