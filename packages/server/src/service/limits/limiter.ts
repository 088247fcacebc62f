import { type Compilable, type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.js';
import { createKeyedMutex } from '../../core/keyed-mutex.js';
import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import { big, maxKnown, throttleKey } from './throttle-key.js';

/** Waits that grow with each attempt, after some that are free. */
export interface Waits {
  /** So many are free, then each waits twice as long as the one before. */
  readonly free: number;
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
}

/** What is counted that may be a guess, such as sign-ins by site; no two have the same name. */
export interface AttemptKind extends Waits {
  readonly kind: string;
  /** After so long without one, all is forgotten; longer than the longest wait. */
  readonly forgetMs: number;
}

/** A bucket of tokens for each name. A row has one time, when the bucket is full again (the generic cell rate algorithm of ITU-T I.371). */
export interface BucketKind {
  readonly kind: string;
  /** Tokens of a full bucket. */
  readonly free: number;
  /** For one token more. */
  readonly intervalMs: number;
}

/** One counter: by whatever names the one who tries. */
export interface Counter {
  readonly of: AttemptKind | BucketKind;
  readonly name: string;
}

interface Counted {
  readonly key: string;
  readonly of: Counter['of'];
}

interface Settlement {
  readonly givenBack: readonly Counter[];
  readonly forgotten: readonly Counter[];
}

interface Refusal {
  readonly untilMs: number;
  readonly askedAt: number;
}

/** How long an answer of the database counts that says no: another replica may have lifted it since. */
export const refusalTrustedMs = 2000;
/** Another try gave back what was in the way, just when this one was refused. */
const maxRaces = 10;

/**
 * How often something was tried, kept in the database: exact over restarts and for several services. Who is known to wait is
 * refused without asking it. The first of several counters is the one that a flood would be on.
 */
export type Limiter = ReturnType<typeof createLimiter>;

export function createLimiter({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
  const { query } = database;
  const refusals = new LRUCache<string, Refusal>({ max: maxKnown });
  /** A flood from one place takes one connection to the database, and of those refused the first alone asks it. */
  const oneAtATime = createKeyedMutex();

  /** Notes when the next one is allowed; returns it. */
  const note = ({ key, of }: Counted, nextAt: number): number => {
    const untilMs = nextAt - aheadMs(of);
    if (untilMs > clock()) refusals.set(key, { untilMs, askedAt: clock() });
    else refusals.delete(key);
    return untilMs;
  };

  /** Until when one of these waits, as far as is known here or by the database; asks it for none that has never waited. */
  const refusedUntil = async (
    counted: readonly Counted[],
    askFor: readonly Counted[],
    now: number,
  ): Promise<number> => {
    const known = counted.map(({ key }) => refusals.get(key)).filter((found) => found !== undefined);
    const trusted = known.filter(({ askedAt }) => now - askedAt < refusalTrustedMs);
    const longest = Math.max(0, ...trusted.map(({ untilMs }) => untilMs));
    if (longest > now || askFor.length === 0) return longest;
    const keys = askFor.map(({ key }) => key);
    const rows = await query
      .selectFrom('throttle')
      .select(['key', 'next_at'])
      .where('key', 'in', keys)
      .execute();
    const nextAt = new Map(rows.map((row) => [row.key, row.next_at]));
    return Math.max(...askFor.map((each) => note(each, nextAt.get(each.key) ?? 0)));
  };

  const count = ({ key, of }: Counted, now: number): Compilable => {
    const { first, again } = 'intervalMs' in of ? bucketRow(of, now) : attemptRow(of, now);
    return query
      .insertInto('throttle')
      .values({ key, last_at: now, ...first })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          ...again,
          last_at: now,
          // NULL, which the column refuses, undoes the unit.
          times: sql<number>`case when throttle.next_at > ${big(now + aheadMs(of))} then null else ${again.times} end`,
        }),
      )
      .returning('next_at');
  };

  /**
   * Counts one more on all of these, before it is known how it ends: of many at once each counts. Returns when it is worth trying,
   * in milliseconds since 1970, while the wait of one of them is not over; then none is counted. Else null.
   */
  const takeAll = async (counters: readonly Counter[]): Promise<number | null> => {
    const counted = counters
      .map((counter) => ({ key: keyOf(counter), of: counter.of }))
      // Of two units that count on the same rows each locks them in the same order.
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    // A flood on what waits costs a look every two seconds, and no write.
    let askFor = counted.filter(({ key }) => refusals.has(key));
    for (let race = 0; race < maxRaces; race += 1) {
      const now = clock();
      const untilMs = await refusedUntil(counted, askFor, now);
      if (untilMs > now) return untilMs;
      try {
        const results = await database.write(counted.map((each) => count(each, now)));
        for (const [index, each] of counted.entries())
          note(each, Number(results[index]?.rows[0]?.['next_at']));
        return null;
      } catch (error) {
        if (!(error instanceof StorageError && error.code === 'not-null')) throw error;
        askFor = counted;
      }
    }
    return clock() + 1000;
  };
  const take = (...counters: readonly Counter[]): Promise<number | null> =>
    oneAtATime(counters[0] ? keyOf(counters[0]) : '', () => takeAll(counters));

  const giveBackTo = ({ key, of }: Counted): readonly Compilable[] => {
    const row = query.updateTable('throttle').where('key', '=', key);
    if ('intervalMs' in of) {
      const earlier = (column: 'next_at' | 'forget_at') =>
        sql<number>`${sql.ref(column)} - ${big(of.intervalMs)}`;
      return [row.set({ next_at: earlier('next_at'), forget_at: earlier('forget_at') })];
    }
    return [
      row.set((update) => ({ times: update('times', '-', 1), next_at: 0 })),
      query.deleteFrom('throttle').where('key', '=', key).where('times', '<=', 0),
    ];
  };

  /** `giveBack` and `forget` for a unit of the caller, in the one order that avoids deadlocks; `settled` says that it has happened. */
  const settling = ({ givenBack, forgotten }: Settlement) => {
    const ends = new Map<string, readonly Compilable[]>();
    for (const counter of givenBack)
      ends.set(keyOf(counter), giveBackTo({ key: keyOf(counter), of: counter.of }));
    for (const key of forgotten.map(keyOf))
      ends.set(key, [query.deleteFrom('throttle').where('key', '=', key)]);
    return {
      statements: [...ends.keys()].sort().flatMap((key) => ends.get(key) ?? []),
      settled() {
        for (const key of ends.keys()) refusals.delete(key);
      },
    };
  };
  const settle = async (how: Settlement): Promise<void> => {
    const { statements, settled } = settling(how);
    await database.write(statements);
    settled();
  };

  return {
    take,
    /** The same, which throws `too_many_requests` with when it is worth trying. */
    async begin(...counters: readonly Counter[]) {
      const untilMs = await take(...counters);
      if (untilMs !== null) throw tooMany('tried too often; try again in', untilMs - clock());
    },
    settling,
    /** It was no guess after all, or the turn was not needed. */
    giveBack: (...givenBack: readonly Counter[]) => settle({ givenBack, forgotten: [] }),
    forget: (...forgotten: readonly Counter[]) => settle({ givenBack: [], forgotten }),
  };
}

function keyOf({ of, name }: Counter): string {
  return throttleKey(of.kind, name);
}

/** How far ahead of now the time of a row may be. */
function aheadMs(of: Counter['of']): number {
  return 'intervalMs' in of ? (of.free - 1) * of.intervalMs : 0;
}

function bucketRow({ intervalMs }: BucketKind, now: number) {
  const fullAt = sql<number>`case when throttle.next_at > ${big(now)} then throttle.next_at else ${big(now)} end + ${big(intervalMs)}`;
  return {
    first: { times: 0, next_at: now + intervalMs, forget_at: now + intervalMs },
    again: { times: big(0), next_at: fullAt, forget_at: fullAt },
  };
}

function attemptRow({ forgetMs, ...waits }: AttemptKind, now: number) {
  const { free, firstWaitMs, maxWaitMs } = waits;
  const times = sql<number>`case when throttle.forget_at <= ${big(now)} then 1 else throttle.times + 1 end`;
  // Doubled by a shift: SQL has no power that both databases know.
  const doublings = Math.ceil(Math.log2(maxWaitMs / firstWaitMs));
  const wait: RawBuilder<number> = sql`case
    when ${times} < ${big(free)} then 0
    when ${times} >= ${big(free + doublings)} then ${big(maxWaitMs)}
    else ${big(firstWaitMs)} << cast(${times} - ${big(free)} as integer) end`;
  const forget_at = now + forgetMs;
  return {
    first: { times: 1, next_at: now + waitAfter(1, waits), forget_at },
    again: { times, next_at: sql<number>`${big(now)} + ${wait}`, forget_at },
  };
}

export function waitAfter(times: number, { free, firstWaitMs, maxWaitMs }: Waits): number {
  return times < free ? 0 : Math.min(maxWaitMs, firstWaitMs * 2 ** (times - free));
}

/** @param text what happened, up to the time that is left */
export function tooMany(text: string, leftMs: number, rest = ''): ServiceError {
  const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1000));
  return new ServiceError('too_many_requests', `${text} ${retryAfterSeconds} s${rest}`, {
    retryAfterSeconds,
  });
}
