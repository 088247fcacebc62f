/** What a service takes and gives up of the streams that are to run, as of one look. */
export type ShareOut = ReturnType<typeof createShareOut>;

export interface WantedStream {
  readonly name: string;
  readonly accountId: number;
}

export interface MineStream {
  /** Whether it is decoded, or about to be. */
  readonly isActive: boolean;
  /** Since when it is here. */
  readonly sinceMs: number;
  /** When its last frame came; the beginning of its wait where none has come. */
  readonly lastFrameMs: number;
}

interface ShareLook {
  readonly nowMs: number;
  /** All streams that are to run, of all accounts. */
  readonly wanted: readonly WantedStream[];
  /** Those that this service has, by name, in the order in which they were taken. */
  readonly mine: ReadonlyMap<string, MineStream>;
  /** Names of those that other services have. */
  readonly others: ReadonlySet<string>;
  /** Services alive that run streams, this one among them; at least 1. */
  readonly replicas: number;
}

interface ShareChange {
  readonly take: readonly string[];
  /** One that another service may take. */
  readonly giveUp: string | null;
  /** One that makes room for a stream that waits. */
  readonly makeRoom: string | null;
  /** Those that no service has room for. */
  readonly waiting: readonly string[];
}

/** A stream that nobody takes for so long is taken whatever the fair share is: others are full, or cannot. */
const untakenMs = 15_000;
/** After one was left, none is given up for so long. */
const keepMs = 600_000;
/** A stream that nobody takes for so long waits for room: by then any other service that has some has taken it. */
const waitMs = 20_000;
const waitAloneMs = 4000;
/** A stream without frames for this time makes room. It then rests twice as long, and twice as long again after each further run without frames. */
const idleMs = 30_000;
const longestRestMs = 900_000;
/** An account that has no stream running gets the place of one that has had it for so long. */
const turnMs = 40_000;

/**
 * Each service takes its fair share. One that has more gives one up at a time, once there is nothing else left for others to take,
 * and takes it back where nobody does.
 *
 * Where there are more streams than room, accounts take turns: the next place is for the account that has fewest, and one that has
 * two more than another gives one to it. A stream whose camera sends nothing makes room for any that waits.
 * @param max streams that it decodes at once
 */
export function createShareOut(max: number) {
  const freeSince = new Map<string, number>();
  /** When an account last took a place here or gave one up. */
  const servedMs = new Map<number, number>();
  /** Streams that made room because they had no frames. */
  const rests = new Map<string, { readonly turns: number; readonly untilMs: number }>();
  /** Streams that were asked to make room and have not stopped yet, with their `sinceMs`. */
  const leaving = new Map<string, number>();
  let givenUp: string | null = null;
  let keepUntilMs = Number.NEGATIVE_INFINITY;

  return {
    next({ nowMs, wanted, mine, others, replicas }: ShareLook): ShareChange {
      const free = wanted.filter(({ name }) => !mine.has(name) && !others.has(name));
      const accountOf = new Map(wanted.map(({ name, accountId }) => [name, accountId]));
      keepOnly(freeSince, new Set(free.map(({ name }) => name)));
      keepOnly(rests, accountOf);
      keepOnly(servedMs, new Set(accountOf.values()));
      for (const { name } of free) if (!freeSince.has(name)) freeSince.set(name, nowMs);
      for (const [name, { sinceMs, lastFrameMs }] of mine) if (lastFrameMs > sinceMs) rests.delete(name);
      if (givenUp !== null && others.has(givenUp)) givenUp = null;

      for (const [name, sinceMs] of leaving) if (mine.get(name)?.sinceMs !== sinceMs) leaving.delete(name);

      const staying = [...mine].filter(([name]) => !leaving.has(name));
      const held = countByAccount([...staying.map(([name]) => name), ...others], accountOf);
      const heldBy = (accountId: number) => held.get(accountId) ?? 0;
      const isResting = (name: string) => (rests.get(name)?.untilMs ?? 0) > nowMs;
      const waitedMs = (name: string) => nowMs - (freeSince.get(name) ?? nowMs);
      const inTurn = (a: WantedStream, b: WantedStream) =>
        Number(isResting(a.name)) - Number(isResting(b.name)) ||
        heldBy(a.accountId) - heldBy(b.accountId) ||
        (servedMs.get(a.accountId) ?? -1) - (servedMs.get(b.accountId) ?? -1) ||
        waitedMs(b.name) - waitedMs(a.name);

      const active = [...mine].filter(([, { isActive }]) => isActive);
      const share = Math.ceil(wanted.length / replicas);
      const take: string[] = [];
      const left = new Set(free);
      while (active.length + take.length < max) {
        const hasShare = mine.size + take.length < share;
        const mayTake = ({ name }: WantedStream) =>
          waitedMs(name) >= untakenMs || (hasShare && name !== givenUp);
        const next = firstOf([...left].filter(mayTake), inTurn);
        if (next === undefined) break;
        const { name, accountId } = next;
        left.delete(next);
        take.push(name);
        held.set(accountId, heldBy(accountId) + 1);
        servedMs.set(accountId, nowMs);
        if (name === givenUp) givenUp = null;
        // Others cannot take what is left, and would not take what this one gives up.
        if (!hasShare) keepUntilMs = nowMs + keepMs;
      }

      const isTooMuch = mine.size > share && free.length === 0 && givenUp === null && nowMs >= keepUntilMs;
      const giveUp = (isTooMuch ? [...mine.keys()].at(-1) : undefined) ?? null;
      if (giveUp !== null) givenUp = giveUp;

      const heldOf = (name: string) => heldBy(accountOf.get(name) ?? 0);
      /** Of the account that has most: its newest, or the oldest of accounts that have one each. */
      const ofLargest = (names: readonly string[]): string | null => {
        const most = names.reduce((max, name) => Math.max(max, heldOf(name)), 0);
        return names.filter((name) => heldOf(name) === most).at(most > 1 ? -1 : 0) ?? null;
      };
      const minWaitMs = replicas > 1 ? waitMs : waitAloneMs;
      const waiting = [...left].filter(({ name }) => waitedMs(name) >= minWaitMs);
      const chooseRoom = (): string | null => {
        const candidates = staying.filter(([, { isActive }]) => isActive);
        // A schedule that begins makes more of them active than there is room for.
        if (candidates.length > max) return ofLargest(candidates.map(([name]) => name));
        const next = waiting.filter(({ name }) => !isResting(name)).sort(inTurn);
        // Those before it get the places of the streams that are leaving.
        const first = next[leaving.size];
        if (first === undefined) return null;
        const silentSince = ({ sinceMs, lastFrameMs }: MineStream) => Math.max(sinceMs, lastFrameMs);
        const idle = firstOf(
          candidates.filter(([, stream]) => nowMs - silentSince(stream) >= idleMs),
          ([, a], [, b]) => silentSince(a) - silentSince(b),
        );
        if (idle !== undefined) {
          const turns = (rests.get(idle[0])?.turns ?? 0) + 1;
          rests.set(idle[0], { turns, untilMs: nowMs + Math.min(longestRestMs, idleMs * 2 ** turns) });
          return idle[0];
        }
        const own = heldBy(first.accountId);
        const mayEnd = ([name, { sinceMs }]: readonly [string, MineStream]) =>
          heldOf(name) >= own + 2 || (own === 0 && nowMs - sinceMs >= turnMs);
        return ofLargest(candidates.filter(mayEnd).map(([name]) => name));
      };
      const makeRoom = giveUp === null && take.length === 0 ? chooseRoom() : null;
      if (makeRoom !== null) {
        servedMs.set(accountOf.get(makeRoom) ?? 0, nowMs);
        leaving.set(makeRoom, mine.get(makeRoom)?.sinceMs ?? nowMs);
      }
      return { take, giveUp, makeRoom, waiting: waiting.map(({ name }) => name) };
    },
  };
}

function firstOf<Item>(items: readonly Item[], compare: (a: Item, b: Item) => number): Item | undefined {
  return items.reduce<Item | undefined>(
    (first, item) => (first === undefined || compare(item, first) < 0 ? item : first),
    undefined,
  );
}

function countByAccount(
  names: readonly string[],
  accountOf: ReadonlyMap<string, number>,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const name of names) {
    const accountId = accountOf.get(name);
    if (accountId !== undefined) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  }
  return counts;
}

function keepOnly<Key>(map: Map<Key, unknown>, keys: { has(key: Key): boolean }): void {
  for (const key of map.keys()) if (!keys.has(key)) map.delete(key);
}
