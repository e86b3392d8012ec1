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

/** The settings that say which agent there is, as far as they are looked at here. */
interface Agents {
  readonly agentModule: string | undefined;
  readonly scenario: string | undefined;
  readonly model: string | undefined;
  readonly models: readonly string[];
  readonly modelBaseUrl: string | undefined;
  readonly modelApiKey: string | undefined;
}

/** Every fault as a line of its own: what it is, and what to do. */
export function checkTogether(config: Authentication & Agents): readonly string[] {
  return [
    ...checkOpen(config),
    ...checkMissing(config),
    ...checkUnused(config),
    ...checkAgent(config),
    ...checkModel(config),
  ];
}

/** There is one agent. */
function checkAgent({ agentModule, scenario, model }: Agents): string[] {
  const set = Object.entries({ AGENT: agentModule, SCENARIO: scenario, MODEL: model })
    .filter(([, value]) => value !== undefined)
    .map(([variable]) => variable);
  if (set.length < 2) return [];
  return [`${set.join(' and ')} are set, but there is one agent: leave all of them unset but one.`];
}

function checkModel({ model, models, modelBaseUrl, modelApiKey }: Agents): string[] {
  if (model === undefined) return checkNoModel({ modelBaseUrl, modelApiKey });
  const faults: string[] = [];
  if (models[0] !== model) {
    faults.push(
      `MODEL is ${model}, but the first of MODELS is ${models[0] ?? 'none'}: the first is the default. Put ${model} first, or leave MODELS unset.`,
    );
  }
  // A local model whose URL was forgotten must not have its conversations sent to somebody else.
  if (modelBaseUrl === undefined && modelApiKey === undefined) {
    faults.push(
      'MODEL is set, but MODEL_BASE_URL and MODEL_API_KEY are unset: the model would be that of https://api.openai.com/v1, which needs a key. Set MODEL_BASE_URL to where the model is, or MODEL_API_KEY to the key.',
    );
  }
  if (modelBaseUrl !== undefined && /\/chat\/completions\/?$/.test(modelBaseUrl)) {
    faults.push(
      'MODEL_BASE_URL ends in /chat/completions, which the server adds itself. Leave that out.',
    );
  }
  return faults;
}

function checkNoModel({
  modelBaseUrl,
  modelApiKey,
}: Pick<Agents, 'modelBaseUrl' | 'modelApiKey'>): string[] {
  const uses = { MODEL_BASE_URL: modelBaseUrl, MODEL_API_KEY: modelApiKey };
  return Object.entries(uses)
    .filter(([, value]) => value !== undefined)
    .map(([variable]) => {
      return `${variable} is set, but MODEL is unset, so there is no model. Set MODEL to its name, or leave ${variable} unset.`;
    });
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
