interface KeptLease {
  /** Fires once the lease is another's, or may be: it could not be renewed in time. */
  readonly signal: AbortSignal;
  /** It is renewed no longer. */
  end(): void;
}

interface LeaseKeeperDeps {
  /** Renews all that are still this process's, with one statement; answers their keys. */
  readonly renew: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly leaseMs: number;
}

interface Entry {
  readonly lost: AbortController;
  /** By the monotonic clock of this process, before the statement that renewed it was sent. */
  renewedMs: number;
}

/** Looks in a lease's time. */
const looks = 6;

/** Renews the leases of one kind that this process holds, and notices when one is lost. */
export function createLeaseKeeper({ renew, leaseMs }: LeaseKeeperDeps) {
  const kept = new Map<string, Entry>();
  const lookMs = leaseMs / looks;
  let timer: NodeJS.Timeout | undefined;
  let isRenewing = false;

  const renewAll = async (nowMs: number): Promise<void> => {
    const asked = [...kept].filter(([, { lost }]) => !lost.signal.aborted);
    if (asked.length === 0) return;
    const renewed = await renew(asked.map(([key]) => key));
    for (const [key, entry] of asked) {
      if (renewed.has(key)) entry.renewedMs = nowMs;
      // One that ended meanwhile was given back.
      else if (kept.get(key) === entry) entry.lost.abort();
    }
  };

  const look = (): void => {
    const nowMs = performance.now();
    let isDue = false;
    for (const { lost, renewedMs } of kept.values()) {
      // Also while a renewal waits for a server that does not answer.
      if (nowMs - renewedMs > leaseMs - lookMs) lost.abort();
      else isDue ||= nowMs - renewedMs >= leaseMs / 3;
    }
    if (!isDue || isRenewing) return;
    isRenewing = true;
    renewAll(nowMs)
      // The next look tries again, until the time is over.
      .catch(() => undefined)
      .finally(() => {
        isRenewing = false;
      });
  };

  return {
    /** Whether one is kept under this key, lost or not. */
    has: (key: string): boolean => kept.has(key),
    /** Whether one is kept under this key and not lost. */
    holds: (key: string): boolean => kept.get(key)?.lost.signal.aborted === false,
    keep(key: string): KeptLease {
      const entry: Entry = { lost: new AbortController(), renewedMs: performance.now() };
      kept.set(key, entry);
      timer ??= setInterval(look, lookMs).unref();
      return {
        signal: entry.lost.signal,
        end() {
          if (kept.get(key) === entry) kept.delete(key);
          if (kept.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
  };
}
