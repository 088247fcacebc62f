/**
 * What was told lately. A row that commits late, or by the clock of another service, may be older than one that was told
 * already; so each look goes back a little, and what it sees again is left out.
 */
export interface Deduplicator {
  /** Whether this is told for the first time; `at` is when it happened, in milliseconds since 1970. */
  isNew(key: string, at: number): boolean;
  /** What no look will see again. */
  forgetBefore(at: number): void;
}

export function createDeduplicator(): Deduplicator {
  const seenAt = new Map<string, number>();
  return {
    isNew(key, at) {
      if (seenAt.has(key)) return false;
      seenAt.set(key, at);
      return true;
    },
    forgetBefore(before) {
      for (const [key, at] of seenAt) if (at < before) seenAt.delete(key);
    },
  };
}
