/**
 * Does one piece of work at a time, in the order in which they were asked for. Rejects with the signal's reason when it
 * fires before the turn comes.
 */
export function createTurns(): <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (signal, work) => {
    const mine = last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    last = mine.catch(() => undefined);
    return mine;
  };
}
