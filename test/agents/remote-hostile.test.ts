/** Remote agents that hang, lie, flood or vanish: the sub-task fails with words that say which agent it was and why. */
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { createTurn, summarise } from './recorded-turn.ts';
import {
  cardOf,
  chunkOf,
  createFarAgent,
  openDouble,
  refuse,
  reply,
  sendJson,
  taskOf,
  updateOf,
  write,
} from './remote-world.ts';
import type { Answer } from './remote-world.ts';

/** How a turn ends with an agent that answers like this. */
async function endingWith(answer: Answer, timeout?: number) {
  const double = await openDouble(answer);
  const { agent, known } = createFarAgent(double.url, timeout === undefined ? {} : { timeout });
  const { turn, acts } = createTurn('Do it.');
  const ending = summarise(await agent.run(turn));
  return { double, ending, acts, known: known.get('task-1') };
}

test('nobody is there', async () => {
  const double = await openDouble(() => undefined);
  await double.close();
  const { agent } = createFarAgent(double.url, { timeout: 300 });
  expect(summarise(await agent.run(createTurn('Do it.').turn))).toEqual([
    'failed',
    'The remote agent far had nothing new to say for 0.3 s; it cannot be reached.',
  ]);
});

test('no answer ever comes', async () => {
  const { ending, known } = await endingWith(() => undefined, 300);
  expect(ending).toEqual(['failed', 'The remote agent far had nothing new to say for 0.3 s.']);
  expect(known).toBeUndefined();
});

test('a stream stays open and says nothing, comments apart', async () => {
  const timers: NodeJS.Timeout[] = [];
  const { ending, known } = await endingWith((asked, response) => {
    write(response, asked, taskOf('WORKING'));
    timers.push(setInterval(() => response.write(': still here\n\n'), 20));
  }, 300);
  for (const timer of timers) clearInterval(timer);
  expect(ending).toEqual(['failed', 'The remote agent far had nothing new to say for 0.3 s.']);
  // What is open is cancelled by whoever learns that the task here has failed.
  expect(known).toMatchObject({ remoteTaskId: 'theirs', open: true });
});

test('the same is told again and again', async () => {
  const task = taskOf('WORKING', 'Working.');
  const { ending, acts } = await endingWith((asked, response) => {
    if (asked.rpc.method === 'GetTask') reply(response, asked, task.task);
    else write(response, asked, task);
    response.end();
  }, 300);
  expect(ending).toEqual(['failed', 'The remote agent far had nothing new to say for 0.3 s.']);
  expect(acts).toEqual([{ say: 'Working.' }]);
});

test('it vanishes for a while: what it was told is told again with the same id, and nothing twice', async () => {
  const { ending, acts, double } = await endingWith((asked, response, n) => {
    const { method } = asked.rpc;
    if (method === 'SendStreamingMessage' && n < 3) {
      response.destroy();
    } else if (method === 'SendStreamingMessage') {
      write(response, asked, taskOf('WORKING'), updateOf('WORKING', 'Half of it.'));
      setTimeout(() => response.destroy(), 20);
    } else if (n === 1) {
      response.writeHead(503, { 'Retry-After': '0' }).end('<html>');
    } else {
      write(response, asked, taskOf('WORKING'), updateOf('COMPLETED', 'All of it.'));
    }
  });
  expect(ending).toEqual(['completed', 'All of it.']);
  expect(acts).toEqual([{ say: 'Half of it.' }]);
  expect(double.methods).toEqual([
    'SendStreamingMessage',
    'SendStreamingMessage',
    'SendStreamingMessage',
    'SubscribeToTask',
    'SubscribeToTask',
  ]);
  const ids = double.asked.slice(0, 3).map(({ rpc }) => rpc.params.message?.messageId);
  expect(ids).toEqual(['task-1:1', 'task-1:1', 'task-1:1']);
});

test('streams that bring nothing are given up for questions', async () => {
  const { ending, acts, double } = await endingWith((asked, response, n) => {
    const { method } = asked.rpc;
    if (method === 'SendStreamingMessage') {
      write(response, asked, taskOf('SUBMITTED'));
      response.end();
    } else if (method === 'SubscribeToTask') {
      response.destroy();
    } else {
      const { task } = n < 3 ? taskOf('WORKING', `${n}`) : taskOf('COMPLETED', 'Done.');
      reply(response, asked, task);
    }
  });
  expect(ending).toEqual(['completed', 'Done.']);
  expect(acts).toEqual([{ say: '1' }, { say: '2' }]);
  expect(double.methods).toEqual([
    'SendStreamingMessage',
    'SubscribeToTask',
    'SubscribeToTask',
    'SubscribeToTask',
    'GetTask',
    'GetTask',
    'GetTask',
  ]);
});

const refusals: readonly (readonly [string, Answer, string])[] = [
  [
    'a state that does not exist',
    (asked, response) => {
      write(response, asked, taskOf('EXPLODED'));
    },
    'does not say in which state of A2A 1.0 the task is.',
  ],
  [
    'no state',
    (asked, response) => {
      write(response, asked, taskOf('UNSPECIFIED'));
    },
    'does not say in which state of A2A 1.0 the task is.',
  ],
  [
    'another task',
    (asked, response) => {
      write(response, asked, taskOf('WORKING'), updateOf('COMPLETED', 'x', { taskId: 'other' }));
    },
    'answers for another task than the one that it was given.',
  ],
  [
    'another conversation',
    (asked, response) => {
      write(response, asked, taskOf('WORKING'), updateOf('WORKING', 'x', { contextId: 'other' }));
    },
    'has moved the task to another conversation.',
  ],
  [
    'a redirect',
    (_asked, response) => response.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end(),
    'answers with a redirect (status 307), which is not followed.',
  ],
  [
    'refused credentials',
    (_asked, response) => response.writeHead(401).end('{}'),
    'does not accept the credentials of this server (status 401).',
  ],
  [
    'a page of HTML',
    (_asked, response) =>
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end('data: <html>\n\n'),
    'answers with what is not A2A 1.0.',
  ],
  [
    'JSON that is nothing',
    (asked, response) => {
      write(response, asked, { task: { artifacts: [null], status: 7 } });
      response.end();
    },
    'answers with what is not A2A 1.0.',
  ],
  [
    'a line without an end',
    (_asked, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.end(`data: ${'x'.repeat(5 * 1024 ** 2)}`);
    },
    'answers with what is not A2A 1.0.',
  ],
  [
    'much in little',
    (_asked, response) => {
      const type = 'application/json';
      response.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(9 * 1024 ** 2, ' ')));
    },
    'sent more than 8388608 bytes in one answer.',
  ],
  [
    'more than it may say',
    (asked, response) => {
      write(response, asked, taskOf('WORKING'));
      const update = updateOf('WORKING');
      write(response, asked, ...Array.from({ length: 10_001 }, () => update));
    },
    'sent more than 10000 events.',
  ],
  [
    'more artifacts than it may write',
    (asked, response) => {
      write(response, asked, taskOf('WORKING'));
      for (let n = 0; n <= 100; n += 1) write(response, asked, chunkOf(`a${n}`, 'x'));
    },
    'wrote more than 100 artifacts.',
  ],
  [
    'artifacts that are too large',
    (asked, response) => {
      write(response, asked, taskOf('WORKING'));
      const text = 'x'.repeat(1024 ** 2);
      for (let n = 0; n < 9; n += 1) write(response, asked, chunkOf('a', text, { append: true }));
    },
    'wrote artifacts of more than 8388608 characters.',
  ],
  [
    'an artifact that goes on after its end',
    (asked, response) => {
      const more = { append: true };
      write(response, asked, taskOf('WORKING'), chunkOf('a', 'x', { lastChunk: true }));
      write(response, asked, chunkOf('a', 'y', more));
    },
    'goes on with an artifact that it had called complete.',
  ],
  [
    'a refusal',
    (asked, response) => {
      refuse(response, asked, -32602, 'parts[0]: no\nthanks');
    },
    'refused: parts[0]: no thanks (INVALID_PARAMS).',
  ],
  [
    'a failure',
    (asked, response) => {
      write(response, asked, taskOf('FAILED', 'Out of ink.'));
    },
    'failed: Out of ink.',
  ],
  [
    'a rejection without words',
    (asked, response) => {
      write(response, asked, taskOf('REJECTED'));
    },
    'rejected the task.',
  ],
];

test.each(refusals)('%s', async (_name, answer, words) => {
  const { ending } = await endingWith(answer);
  expect(ending).toEqual(['failed', `The remote agent far ${words}`]);
});

test('the first end counts, whatever comes after it', async () => {
  const { ending, acts, known } = await endingWith((asked, response) => {
    write(response, asked, taskOf('WORKING'), updateOf('COMPLETED', 'Done.'));
    write(response, asked, updateOf('WORKING', 'Once more.'), updateOf('FAILED', 'No.'));
  });
  expect([ending, acts, known?.open]).toEqual([['completed', 'Done.'], [], false]);
});

test('a task that it no longer knows', async () => {
  const { ending } = await endingWith((asked, response) => {
    if (asked.rpc.method !== 'SendStreamingMessage') refuse(response, asked, -32001, 'gone');
    else {
      write(response, asked, taskOf('WORKING'));
      response.end();
    }
  });
  expect(ending).toEqual(['failed', 'The remote agent far refused: gone (TASK_NOT_FOUND).']);
});

test('what cannot be read of a stream over REST is not printed', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const double = await openDouble(
    (_asked, response) =>
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end('data: {"level":1\n\n'),
    (url) =>
      cardOf(url, {
        supportedInterfaces: [{ url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
      }),
  );
  const { agent } = createFarAgent(double.url);
  expect(summarise(await agent.run(createTurn('Do it.').turn))).toEqual([
    'failed',
    'The remote agent far answers with what is not A2A 1.0.',
  ]);
  expect(print).not.toHaveBeenCalled();
  print.mockRestore();
});

test('a turn that is cut ends at once; what is heard while it waits to learn of a task is remembered', async () => {
  const double = await openDouble((asked, response) => {
    setTimeout(() => {
      write(response, asked, taskOf('WORKING'), updateOf('WORKING', 'Too late.'));
    }, 100);
  });
  const { agent, known } = createFarAgent(double.url);
  const { turn, acts, cut } = createTurn('Do it.');
  const running = agent.run(turn);
  await vi.waitFor(() => {
    expect(double.asked).toHaveLength(1);
  });
  cut();
  await expect(running).rejects.toThrow();
  expect([known.get('task-1')?.open, acts]).toEqual([true, []]);
});

test('surfaces, channels and envelopes from elsewhere are not passed on, nor is metadata', async () => {
  const { ending, acts } = await endingWith((asked, response) => {
    const own = { data: { channel_id: 'theirs' }, mediaType: 'application/a2ui+json' };
    const odd = { url: 'javascript:alert(1)' };
    const file = { url: 'https://files.example/a.pdf', filename: 'a.pdf', metadata: { x: 1 } };
    const artifact = { artifactId: 'a', parts: [own, odd, file, { text: 'Kept.' }] };
    write(response, asked, taskOf('WORKING'));
    write(response, asked, {
      artifactUpdate: { taskId: 'theirs', contextId: 'talk', artifact, lastChunk: true },
    });
    write(response, asked, {
      artifactUpdate: {
        taskId: 'theirs',
        contextId: 'talk',
        artifact: { artifactId: 'b', parts: [own] },
      },
    });
    write(response, asked, updateOf('COMPLETED'));
  });
  const parts = [{ url: 'https://files.example/a.pdf', filename: 'a.pdf' }, { text: 'Kept.' }];
  expect(acts).toEqual([{ artifact: { artifactId: 'a', parts, append: false, lastChunk: true } }]);
  expect(ending).toEqual(['completed', 'Kept.']);
});

test('an answer without a task', async () => {
  const double = await openDouble(
    (asked, response) => {
      const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Forty-two.' }] };
      sendJson(response, { jsonrpc: '2.0', id: asked.rpc.id, result: { message } });
    },
    (url) => cardOf(url, { capabilities: {} }),
  );
  const { agent, known } = createFarAgent(`${double.url}/agent-card.json`);
  expect(summarise(await agent.run(createTurn('Ask.').turn))).toEqual(['completed', 'Forty-two.']);
  expect([double.methods, known.size]).toEqual([['SendMessage'], 0]);
});

test('what a task had before the message arrived is not the answer to it', async () => {
  const question = taskOf('INPUT_REQUIRED', 'Which?');
  const double = await openDouble((asked, response, n) => {
    if (asked.rpc.method === 'SendStreamingMessage' && n === 1) {
      write(response, asked, question);
    } else if (asked.rpc.method === 'SendStreamingMessage') {
      write(response, asked, question, updateOf('WORKING', 'I see.'));
      response.end();
    } else {
      write(response, asked, taskOf('WORKING', 'Still.'), updateOf('INPUT_REQUIRED', 'Which?'));
    }
  });
  const { agent, known } = createFarAgent(double.url);
  const asked = await agent.run(createTurn('Do it.').turn);
  expect(summarise(asked)).toEqual(['input-required', 'Which?']);
  const answer = createTurn('This one.', { number: 2, memory: asked.memory });
  // The same words again are another question.
  expect(summarise(await agent.run(answer.turn))).toEqual(['input-required', 'Which?']);
  expect(answer.acts).toEqual([{ say: 'I see.' }, { say: 'Still.' }]);
  expect(double.asked[1]?.rpc.params.message).toMatchObject({
    messageId: 'task-1:2',
    taskId: 'theirs',
    parts: [{ text: 'This one.' }],
  });
  expect(known.get('task-1')).toMatchObject({ turn: 2, contextId: 'talk', open: true });
});
