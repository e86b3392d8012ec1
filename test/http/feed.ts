import type { Answer, StreamFrame } from '../../src/protocol/call.ts';

/** A stream that a test feeds. */
export interface Feed {
  readonly answer: Answer;
  push(...frames: readonly StreamFrame[]): void;
  end(): void;
  fail(error: Error): void;
  /** Cuts it from the server's side. */
  cut(): void;
  /** How many frames were asked for. */
  readonly asked: number;
  /** Resolves when its reader has let it go. */
  readonly letGo: Promise<void>;
}

type Item = StreamFrame | Error | undefined;

/** A stream that holds what was pushed until it is read. */
export function createFeed(): Feed {
  const items: Item[] = [];
  let wake: (() => void) | undefined;
  let onCut: (() => void) | undefined;
  let asked = 0;
  const { promise: letGo, resolve: let_ } = withResolvers();
  const add = (...added: readonly Item[]) => {
    items.push(...added);
    wake?.();
  };
  const iterator: AsyncIterator<StreamFrame> = {
    async next() {
      asked += 1;
      while (items.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const item = items.shift();
      if (item instanceof Error) throw item;
      return item === undefined ? { done: true, value: undefined } : { done: false, value: item };
    },
    return() {
      let_();
      add(undefined);
      return Promise.resolve({ done: true, value: undefined });
    },
  };
  return {
    answer: {
      kind: 'stream',
      frames: {
        [Symbol.asyncIterator]: () => iterator,
        onCut: (listener) => {
          onCut = listener;
        },
      },
    },
    push: add,
    end: () => {
      add(undefined);
    },
    fail: add,
    cut: () => {
      items.length = 0;
      add(undefined);
      onCut?.();
    },
    get asked() {
      return asked;
    },
    letGo,
  };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
