/** How many turns one remote agent has at a time: an agent here may hand it hundreds of sub-tasks at once. */

/** Resolves when it is one's turn, with what gives the place back; rejects as the signal says when that is aborted. */
export type Enter = (signal: AbortSignal) => Promise<() => void>;

/** So many places; whoever finds none waits, in the order of coming. */
export function createQueue(places: number): Enter {
  const waiting = new Set<() => void>();
  let free = places;
  const leave = () => {
    free += 1;
    const [next] = waiting;
    next?.();
  };
  return (signal) =>
    new Promise((resolve, reject) => {
      const enter = () => {
        free -= 1;
        forget();
        resolve(leave);
      };
      const giveUp = () => {
        forget();
        reject(signal.reason as Error);
      };
      const forget = () => {
        waiting.delete(enter);
        signal.removeEventListener('abort', giveUp);
      };
      if (signal.aborted) giveUp();
      else if (free > 0) enter();
      else {
        waiting.add(enter);
        signal.addEventListener('abort', giveUp);
      }
    });
}
