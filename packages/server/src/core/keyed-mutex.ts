/** Work under one key happens one at a time, in the order it came; under different keys at the same time. */
export type WithKeyLock = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createKeyedMutex(): WithKeyLock {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const own = before === undefined ? work() : before.then(work, work);
    last.set(key, own);
    try {
      return await own;
    } finally {
      if (last.get(key) === own) last.delete(key);
    }
  };
}
