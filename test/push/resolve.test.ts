import { createSocket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { createHostResolver } from '../../src/push/resolve.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A name server that knows IPv4 addresses of `hook.example`, says that others do not exist, or says nothing. */
async function openNameServer(behaviour: 'answers' | 'is silent') {
  const socket = createSocket('udp4');
  closers.push(() => socket.close());
  socket.on('message', (question, peer) => {
    if (behaviour === 'answers') socket.send(answerTo(question), peer.port, peer.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.2', resolve));
  return [`127.0.0.2:${socket.address().port}`];
}

function answerTo(question: Buffer): Buffer {
  const end = question.indexOf(0, 12) + 5;
  const asked = question.subarray(12, end);
  const isKnown = asked.includes('hook') && asked.at(-3) === 1;
  const isMissing = !asked.includes('hook');
  // Id, flags with the response code, then how many questions, answers, authorities and additions follow.
  const head = Buffer.alloc(12);
  question.copy(head, 0, 0, 2);
  head.writeUInt16BE(isMissing ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(isKnown ? 1 : 0, 6);
  // A pointer to the name, type A, class IN, time to live, length and the address.
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 215, 14]);
  return Buffer.concat([head, asked, ...(isKnown ? [record] : [])]);
}

describe('a host resolver', () => {
  it('finds what DNS knows', async () => {
    const resolve = createHostResolver({ servers: await openNameServer('answers') });
    expect(await resolve('hook.example')).toEqual([{ address: '93.184.215.14', family: 4 }]);
  });

  it('asks the system for what DNS does not know', async () => {
    const resolve = createHostResolver({ servers: await openNameServer('answers') });
    await expect(resolve('nowhere.invalid')).rejects.toThrow(/getaddrinfo/);
  });

  it('does not ask the system when no name server answers in time', async () => {
    const resolve = createHostResolver({ servers: await openNameServer('is silent'), timeout: 30 });
    await expect(resolve('hook.example')).rejects.toThrow('ETIMEOUT');
  });
});
