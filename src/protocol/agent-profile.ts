/** What the agent card promises, and refusals of what it does not (specification 3.3.4, 4.6). */
import type { AgentCard } from '@tiny-harness/contract/agent-card';
import type { Message } from '@tiny-harness/contract/a2a';
import { ProtocolError } from '../core/errors.ts';

/** The protocol version that is served, `Major.Minor`. */
const VERSION = '1.0';

/** The card, and checks against it. */
export interface AgentProfile {
  readonly card: AgentCard;
  /** The card as JSON text: it is asked for often and changes never. */
  readonly cardText: string;
  /** @throws ProtocolError VERSION_NOT_SUPPORTED; a missing version means 0.3, a patch number nothing (3.6.2) */
  requireVersion(version: string | undefined): void;
  /** @throws ProtocolError UNSUPPORTED_OPERATION unless the agent streams */
  requireStreaming(): void;
  /** @throws ProtocolError PUSH_NOTIFICATION_NOT_SUPPORTED unless the agent pushes */
  requirePush(): void;
  /** @throws ProtocolError UNSUPPORTED_OPERATION for a URI that the card does not list (rule E3), EXTENSION_SUPPORT_REQUIRED for a required one that is not asked for */
  requireExtensions(asked: readonly string[]): void;
  /** Those of the URIs that the card lists, each once (rule E2). */
  activated(asked: readonly string[]): readonly string[];
  /** @throws ProtocolError CONTENT_TYPE_NOT_SUPPORTED for a part of a media type that the card does not take */
  requireInputModes(message: Message): void;
}

/** The checks for a card. */
export function createAgentProfile(card: AgentCard): AgentProfile {
  const { streaming, pushNotifications, extensions = [] } = card.capabilities;
  const known = extensions.map(({ uri }) => uri);
  const required = extensions.filter((extension) => extension.required === true);
  return {
    card,
    cardText: JSON.stringify(card),
    requireVersion,
    requireStreaming() {
      if (streaming === true) return;
      refuse('UNSUPPORTED_OPERATION', 'This agent does not stream. Use SendMessage and GetTask');
    },
    requirePush() {
      if (pushNotifications === true) return;
      refuse('PUSH_NOTIFICATION_NOT_SUPPORTED', 'This agent sends no push notifications');
    },
    requireExtensions(asked) {
      checkExtensions(
        asked,
        known,
        required.map(({ uri }) => uri),
      );
    },
    activated: (asked) => [...new Set(asked)].filter((uri) => known.includes(uri)),
    requireInputModes: (message) => {
      checkInputModes(message, card.defaultInputModes);
    },
  };
}

function checkExtensions(
  asked: readonly string[],
  known: readonly string[],
  required: readonly string[],
): void {
  const unknown = asked.find((uri) => !known.includes(uri));
  if (unknown !== undefined) {
    const list = known.join(', ') || 'none';
    refuse(
      'UNSUPPORTED_OPERATION',
      `The agent card does not list the extension ${shorten(unknown)}; it lists ${list}`,
    );
  }
  const missing = required.find((uri) => !asked.includes(uri));
  if (missing !== undefined) {
    refuse(
      'EXTENSION_SUPPORT_REQUIRED',
      `This agent requires the extension ${missing}: name it in the A2A-Extensions header`,
    );
  }
}

function checkInputModes(message: Message, modes: readonly string[]): void {
  const taken = modes.map(essence);
  for (const { mediaType } of message.parts) {
    if (mediaType === undefined || mediaType === '' || taken.includes(essence(mediaType))) continue;
    refuse(
      'CONTENT_TYPE_NOT_SUPPORTED',
      `The agent does not take ${shorten(mediaType)}; it takes ${modes.join(', ')}`,
    );
  }
}

function requireVersion(version: string | undefined): void {
  const asked = version === undefined || version === '' ? '0.3' : version;
  if (/^1\.0(\.\d+)?$/.test(asked)) return;
  const from = asked === version ? '' : ' (assumed, since the A2A-Version header is missing)';
  throw new ProtocolError(
    'VERSION_NOT_SUPPORTED',
    `A2A ${shorten(asked)}${from} is not supported; supported: ${VERSION}. Send the header A2A-Version: ${VERSION}`,
    { metadata: { supportedVersions: VERSION } },
  );
}

function refuse(reason: ConstructorParameters<typeof ProtocolError>[0], message: string): never {
  throw new ProtocolError(reason, message);
}

/** A media type without its parameters. */
function essence(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
