/** Push notification configs: from what a client sends to what is kept, and back (specification 4.3.1). */
import type { TaskPushNotificationConfig } from '@tiny-harness/contract/a2a';
import type { FieldViolation } from '../core/errors.ts';
import { invalidParams } from '../core/errors.ts';
import type { PushConfig } from '../store/port.ts';
import type { WebhookGuard } from './guard.ts';
import type { SecretBox } from './secrets.ts';

/** Where a config belongs. */
type ConfigPlace = Pick<PushConfig, 'taskId' | 'owner' | 'id'>;

/** What a webhook is shown to let the sender in. */
export type PushSecrets = Pick<TaskPushNotificationConfig, 'token' | 'authentication'>;

/** What is kept of a config's secrets: the scheme may be read, the rest is for the box. */
interface KeptSecrets {
  readonly scheme?: string;
  readonly sealed: string;
}

/** Turns configs into what is kept, and back. */
export interface PushConfigs {
  /**
   * Checks a config and seals its secrets. `at` says where in the request it came, such as `configuration.`.
   *
   * Rejects with ProtocolError INVALID_PARAMS when the URL or a secret cannot be used, naming each field.
   */
  seal(config: TaskPushNotificationConfig, place: ConfigPlace, at?: string): Promise<PushConfig>;
  /** The token and credentials of a kept config. Throws SecretsError when they cannot be opened. */
  open(config: PushConfig): PushSecrets;
}

/** Configs whose webhooks the guard lets through, and whose secrets are kept in the box. */
export function createPushConfigs(options: { guard: WebhookGuard; box: SecretBox }): PushConfigs {
  const { guard, box } = options;
  return {
    async seal({ url, ...rest }, place, at = '') {
      const refusal = await guard.explainRefusal(url);
      const violations = [
        ...(refusal === undefined ? [] : [{ field: 'url', description: `url ${refusal}` }]),
        ...checkPushSecrets(rest),
      ];
      if (violations.length > 0) {
        const locate = ({ field, description }: FieldViolation) => ({
          field: at + field,
          description: at + description,
        });
        throw invalidParams(violations.map(locate));
      }
      const { taskId, owner, id } = place;
      const sealed = { taskId, owner, id, url };
      return { ...sealed, secrets: keepSecrets(rest, (text) => box.seal(text, nameOwner(sealed))) };
    },
    open(config) {
      if (config.secrets === undefined) return {};
      const { sealed } = JSON.parse(config.secrets) as KeptSecrets;
      return JSON.parse(box.open(sealed, nameOwner(config))) as PushSecrets;
    },
  };
}

/**
 * A config as its owner may read it, in answer to Create, Get and List: id, task, URL and authentication scheme.
 * Token and credentials are secrets and are never given back (specification 13.2).
 */
export function toReadableConfig(config: PushConfig): TaskPushNotificationConfig {
  const { id, taskId, url, secrets } = config;
  const { scheme } = secrets === undefined ? {} : (JSON.parse(secrets) as Partial<KeptSecrets>);
  return { id, taskId, url, ...(scheme === undefined ? {} : { authentication: { scheme } }) };
}

/**
 * What cannot be sent as a header: a scheme that is no token of RFC 9110, a token or credentials with a line break or
 * with characters beyond Latin-1.
 */
function checkPushSecrets({ token, authentication }: PushSecrets): FieldViolation[] {
  const violations: FieldViolation[] = [];
  const checkValue = (field: string, value = '') => {
    if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return;
    const description = `${field} is sent as an HTTP header: it must not hold line breaks or other control characters, nor characters beyond Latin-1`;
    violations.push({ field, description });
  };
  checkValue('token', token);
  if (authentication === undefined) return violations;
  const { scheme, credentials } = authentication;
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(scheme)) {
    const description =
      'authentication.scheme must be the name of an HTTP authentication scheme, such as Bearer';
    violations.push({ field: 'authentication.scheme', description });
  }
  checkValue('authentication.credentials', credentials);
  return violations;
}

function keepSecrets(
  { token = '', authentication }: PushSecrets,
  seal: (text: string) => string,
): string | undefined {
  if (token === '' && authentication === undefined) return undefined;
  const text = JSON.stringify({
    ...(token === '' ? {} : { token }),
    ...(authentication === undefined ? {} : { authentication }),
  } satisfies PushSecrets);
  const kept: KeptSecrets = {
    ...(authentication && { scheme: authentication.scheme }),
    sealed: seal(text),
  };
  return JSON.stringify(kept);
}

/** Secrets go to the webhook they were given for, whoever may have changed the store. */
function nameOwner({ taskId, owner, id, url }: ConfigPlace & { readonly url: string }): string {
  return JSON.stringify([taskId, owner, id, url]);
}
