/** What a service takes and gives up of the streams that are to run, as of one look. */
export interface ShareOut {
  next(look: ShareLook): ShareChange;
}

export interface ShareLook {
  readonly nowMs: number;
  /** Names of all streams that are to run. */
  readonly wanted: readonly string[];
  /** Those that this service has. */
  readonly mine: ReadonlySet<string>;
  /** Those of mine that are decoded, or about to be. */
  readonly active: number;
  /** Those that other services have. */
  readonly others: ReadonlySet<string>;
  /** Services alive that run streams, this one among them; at least 1. */
  readonly replicas: number;
}

export interface ShareChange {
  readonly take: readonly string[];
  /** One that another service may take. */
  readonly giveUp: string | null;
}

/** A stream that nobody takes for so long is taken whatever the fair share is: others are full, or cannot. */
const untakenMs = 15_000;
/** After one was left, none is given up for so long. */
const keepMs = 600_000;

/**
 * Each service takes its fair share. One that has more gives one up at a time, once there is nothing else left for others to take,
 * and takes it back where nobody does.
 * @param max streams that it decodes at once
 */
export function createShareOut(max: number): ShareOut {
  const freeSince = new Map<string, number>();
  let givenUp: string | null = null;
  let keepUntilMs = Number.NEGATIVE_INFINITY;

  return {
    next({ nowMs, wanted, mine, active, others, replicas }) {
      const free = wanted.filter((name) => !mine.has(name) && !others.has(name));
      const isFree = new Set(free);
      for (const name of freeSince.keys()) if (!isFree.has(name)) freeSince.delete(name);
      for (const name of free) if (!freeSince.has(name)) freeSince.set(name, nowMs);
      if (givenUp !== null && others.has(givenUp)) givenUp = null;

      const share = Math.ceil(wanted.length / replicas);
      const take: string[] = [];
      for (const name of free) {
        if (active + take.length >= max) break;
        const isLeft = nowMs - (freeSince.get(name) ?? nowMs) >= untakenMs;
        const isOfShare = mine.size + take.length < share && name !== givenUp;
        if (!isOfShare && !isLeft) continue;
        take.push(name);
        if (name === givenUp) givenUp = null;
        // Others cannot take what is left, and would not take what this one gives up.
        if (!isOfShare) keepUntilMs = nowMs + keepMs;
      }
      const isTooMuch = mine.size > share && free.length === 0 && givenUp === null && nowMs >= keepUntilMs;
      const giveUp = (isTooMuch ? [...mine].at(-1) : undefined) ?? null;
      if (giveUp !== null) givenUp = giveUp;
      return { take, giveUp };
    },
  };
}
