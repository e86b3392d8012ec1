/** GetExtendedAgentCard (specification 3.1.11, 13.3): what those see of the agent who have said who they are. */
import type { AgentCard, AgentExtension } from '@tiny-harness/contract/agent-card';
import { readParams, URI } from '@tiny-harness/contract/commands/v1';
import { identifyCaller } from '../auth/caller.ts';
import { ProtocolError } from '../core/errors.ts';
import type { CommandName } from '../extensions/commands.ts';
import type { Answer, KnownCall } from './call.ts';
import type { Service } from './service.ts';

/** The public card and the models that may be selected; only with authentication. */
export async function getExtendedAgentCard(
  service: Service,
  { call, participant }: KnownCall<unknown>,
): Promise<Answer> {
  const { profile, authentication, models } = service;
  identifyCaller(participant, service);
  profile.requireExtensions(call.extensions);
  if (profile.card.capabilities.extendedAgentCard !== true) {
    const message = 'This agent has no extended agent card; its card says so';
    throw new ProtocolError('UNSUPPORTED_OPERATION', message);
  }
  if (authentication === undefined) {
    const message = 'The agent card promises an extended card, but none is configured';
    throw new ProtocolError('EXTENDED_AGENT_CARD_NOT_CONFIGURED', message);
  }
  const body = JSON.stringify(extendCard(profile.card, models));
  return Promise.resolve({ kind: 'value', body });
}

/** The card with the models where its commands say what `/model` takes. */
function extendCard(card: AgentCard, models: readonly string[]): AgentCard {
  const extensions = card.capabilities.extensions?.map((extension) =>
    extension.uri === URI ? nameModels(card, extension, models) : extension,
  );
  if (extensions === undefined) return card;
  return { ...card, capabilities: { ...card.capabilities, extensions } };
}

function nameModels(
  card: AgentCard,
  extension: AgentExtension,
  models: readonly string[],
): AgentExtension {
  const params = readParams(card);
  if (params?.ok !== true) return extension;
  const name: CommandName = 'model';
  const commands = params.value.commands.map((command) =>
    command.name === name ? { ...command, argument_hint: `[${models.join('|')}]` } : command,
  );
  return { ...extension, params: { ...params.value, commands } };
}
