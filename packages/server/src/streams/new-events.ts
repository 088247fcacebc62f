/** Tells within this process that an account has events that are on disk. Other processes look at the database. */
export interface NewEvents {
  announce(accountId: number): void;
  /** Called until the function that is returned is called. It must not throw. */
  follow(listener: (accountId: number) => void): () => void;
}

export function createNewEvents(): NewEvents {
  const listeners = new Set<(accountId: number) => void>();
  return {
    announce(accountId) {
      for (const listener of listeners) listener(accountId);
    },
    follow(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
