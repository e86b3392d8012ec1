/** The SDK, loaded when a remote agent is first spoken to: it costs tens of milliseconds. */
import type { StreamResponse as SdkEvent } from '@a2a-js/sdk';
import type { Client, Transport, TransportFactory } from '@a2a-js/sdk/client';
import type { RemoteCard } from './card.ts';

/** What is used of it. */
export type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** Loads it. */
export async function loadSdk() {
  const [types, client] = await Promise.all([import('@a2a-js/sdk'), import('@a2a-js/sdk/client')]);
  return { ...types, ...client };
}

/** A client of the SDK's for the address on the card. It never asks to wait for the end of the work. */
export function createSdkClient(
  sdk: Sdk,
  { address, streams }: RemoteCard,
  fetchImpl: typeof fetch,
): Promise<Client> {
  const options = { fetchImpl };
  const transports = [
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- the class of the options is not exported
    new sdk.JsonRpcTransportFactory(options),
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- the class of the options is not exported
    quieten(new sdk.RestTransportFactory(options), sdk),
  ];
  const factory = new sdk.ClientFactory({ transports, clientConfig: { polling: true } });
  const card = { supportedInterfaces: [address], capabilities: { streaming: streams } };
  return factory.createFromAgentCard(sdk.AgentCard.fromJSON(card));
}

/** The SDK prints what it cannot read of a stream over REST to the console, whatever a remote agent writes there. */
function quieten(factory: TransportFactory, { StreamResponse }: Sdk): TransportFactory {
  return {
    protocolName: factory.protocolName,
    async create(...args: Parameters<typeof factory.create>): Promise<Transport> {
      const read = (data: string): SdkEvent => StreamResponse.fromJSON(JSON.parse(data));
      return Object.assign(await factory.create(...args), { _processSseEventData: read });
    },
  };
}
