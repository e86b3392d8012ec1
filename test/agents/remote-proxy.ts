/** A server that stands before another one, and shows a card that a test has edited. */
import type { ServerResponse } from 'node:http';
import { createServer, request as askServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What of a card tests edit. */
interface Card {
  readonly capabilities: object;
  readonly supportedInterfaces: readonly {
    readonly url: string;
    readonly protocolBinding: string;
  }[];
}

/** Gives the card another look. */
export type Edit = (card: Card) => object;

/** A server before another one. */
interface Proxy {
  readonly url: string;
  /** Closes all connections and answers nobody, or answers again. */
  cut(isCut: boolean): void;
}

/** Opens one before the server at this URL. Its card leads to itself. */
export async function openProxy(target: string, edit: Edit): Promise<Proxy> {
  let isCut = false;
  const sockets = new Set<Socket>();
  let url = '';
  const showCard = async (response: ServerResponse) => {
    const text = await (await fetch(`${target}/.well-known/agent-card.json`)).text();
    const card = JSON.parse(text.replaceAll(target, url)) as Card;
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(edit(card)));
  };
  const server = createServer((request, response) => {
    if (isCut) {
      response.destroy();
      return;
    }
    if (request.url?.endsWith('agent-card.json') === true) {
      void showCard(response);
      return;
    }
    const { method, headers } = request;
    const passed = askServer(`${target}${request.url ?? '/'}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url,
    cut(now) {
      isCut = now;
      if (isCut) for (const socket of sockets) socket.destroy();
    },
  };
}
