/** The agent card: pinned for the default address, and a function that makes it for another. */
import type { JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { ContractModel } from '../model/contract.ts';
import { buildAgentCard } from '../runtime/agent-card.js';
import type { AgentCardSource } from '../runtime/agent-card.js';
import type { EmittedFile, Emitter } from './emitter.ts';
import { banner } from './emitter.ts';
import { cardEntry } from './extension-modules.ts';
import { printValue } from './print-type.ts';

/** Where an agent is reached that is started without settings. */
const DEFAULT_BASE_URL = 'http://127.0.0.1:4180/';

/** Emits `agent-card.json`, `agent-card.js` and its declarations; nothing without a card. */
export const agentCard: Emitter = {
  name: 'agent card',
  emit: (model, { templates }) => {
    const source = cardSource(model);
    if (source === undefined) return [];
    const head = banner('schemas/agent-card.json and the manifests of the extensions');
    const types = templates.render('package/agent-card.d.ts.hbs', { baseUrl: DEFAULT_BASE_URL });
    return [
      pinnedCard(source),
      { path: 'generated/agent-card.js', text: head + cardCode(source) },
      { path: 'generated/agent-card.d.ts', text: head + types },
    ];
  },
};

/** The card without addresses: the project's own, and an entry for each extension, in order. */
function cardSource({ card, extensions }: ContractModel): JsonObject | undefined {
  if (card === undefined) return undefined;
  const list = extensions.map(cardEntry);
  const abilities = isObject(card.capabilities) ? card.capabilities : {};
  const capabilities = list.length === 0 ? abilities : { ...abilities, extensions: list };
  const members = Object.entries(card).filter(([name]) => name !== '$schema');
  return { ...Object.fromEntries(members), capabilities };
}

function pinnedCard(source: JsonObject): EmittedFile {
  // The shape of the card file says that it is a card without addresses.
  const card = source as unknown as AgentCardSource;
  const pinned = buildAgentCard(card, { baseUrl: DEFAULT_BASE_URL });
  return { path: 'generated/agent-card.json', text: `${JSON.stringify(pinned, null, 2)}\n` };
}

function cardCode(source: JsonObject): string {
  return `import { buildAgentCard } from "./runtime/agent-card.js";
import { freezeDeep } from "./runtime/freeze.js";

export const AGENT_CARD = /* @__PURE__ */ freezeDeep(${printValue(source, 0)});

export function createAgentCard(options) {
  return buildAgentCard(AGENT_CARD, options);
}
`;
}
