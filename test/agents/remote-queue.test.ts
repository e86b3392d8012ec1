/** The turns of a remote agent that run at a time. */
import { expect, test } from 'vitest';
import { createQueue } from '../../src/agents/remote/queue.ts';

test('whoever finds no place waits in line, and who gives up leaves the line', async () => {
  const enter = createQueue(2);
  const entered: string[] = [];
  const come = async (name: string, signal = new AbortController().signal) => {
    const leave = await enter(signal);
    entered.push(name);
    return leave;
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const [leaveA] = await Promise.all([come('a'), come('b')]);
  const impatient = new AbortController();
  const gone = come('c', impatient.signal);
  const waits = come('d');
  void come('e');
  await settle();
  expect(entered).toEqual(['a', 'b']);
  impatient.abort(new Error('no more'));
  await expect(gone).rejects.toThrow('no more');
  leaveA();
  const leaveD = await waits;
  expect(entered).toEqual(['a', 'b', 'd']);
  leaveD();
  await settle();
  expect(entered).toEqual(['a', 'b', 'd', 'e']);
  await expect(come('f', AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
});
