/**
 * Work under one key happens one at a time, in the order it came; under different keys at the same time. The signal fires when
 * the lock is lost, as one that services share may be: what comes then is another's.
 */
export type WithKeyLock = <T>(key: string, work: (lost: AbortSignal) => Promise<T>) => Promise<T>;

/** Within this process. */
export function createKeyedMutex(): WithKeyLock {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    // Here it is never lost.
    const begin = () => work(new AbortController().signal);
    const own = before === undefined ? begin() : before.then(begin, begin);
    last.set(key, own);
    try {
      return await own;
    } finally {
      if (last.get(key) === own) last.delete(key);
    }
  };
}
