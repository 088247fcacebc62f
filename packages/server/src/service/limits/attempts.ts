import { type Compilable, type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.js';
import { createKeyedMutex } from '../../core/keyed-mutex.js';
import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import { big, maxKnown, refusalTrustedMs, throttleKey } from './throttle-key.js';

/** What is counted, such as sign-ins by site; no two have the same name. */
export interface AttemptKind {
  readonly kind: string;
  /** So many are free, then each waits twice as long as the one before. */
  readonly free: number;
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
  /** After so long without one, all is forgotten; longer than the longest wait. */
  readonly forgetMs: number;
}

/** One counter: by whatever names the one who tries. */
export interface Counter {
  readonly of: AttemptKind;
  readonly name: string;
}

/**
 * How often something was tried that may be a guess, kept in the database: exact over restarts and for several services. Who is
 * known to wait is refused without asking it. The first of several counters is the one that a flood would be on.
 */
export interface Attempts {
  /**
   * Counts one more on all of these, before it is known how it ends: of many at once each counts. Throws `too_many_requests`, with
   * when it is worth trying, while the wait of one of them is not over; then none is counted.
   */
  begin(...counters: readonly Counter[]): Promise<void>;
  /** It was no guess after all. */
  giveBack(...counters: readonly Counter[]): Promise<void>;
  forget(...counters: readonly Counter[]): Promise<void>;
  /** The same two for a unit of the caller, in the one order that avoids deadlocks; `settled` says that it has happened. */
  settling(how: Settlement): { readonly statements: readonly Compilable[]; settled(): void };
}

interface Settlement {
  readonly givenBack: readonly Counter[];
  readonly forgotten: readonly Counter[];
}

interface Refusal {
  readonly nextAt: number;
  readonly askedAt: number;
}

/** Another try gave back what was in the way, just when this one was refused. */
const maxRaces = 10;

export function createAttempts({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): Attempts {
  const { query } = database;
  const refusals = new LRUCache<string, Refusal>({ max: maxKnown });
  /** A flood from one place takes one connection to the database, and of those refused the first alone asks it. */
  const oneAtATime = createKeyedMutex();
  const note = (key: string, nextAt: number) => refusals.set(key, { nextAt, askedAt: clock() });

  /** Until when one of these waits, as far as is known here or by the database; asks it for none that has never waited. */
  const refusedUntil = async (keys: readonly string[], askFor: readonly string[]): Promise<number> => {
    const now = clock();
    const known = keys.map((key) => refusals.get(key)).filter((found) => found !== undefined);
    const trusted = known.filter(({ askedAt }) => now - askedAt < refusalTrustedMs);
    const longest = Math.max(0, ...trusted.map(({ nextAt }) => nextAt));
    if (longest > now || askFor.length === 0) return longest;
    const rows = await query
      .selectFrom('throttle')
      .select(['key', 'next_at as nextAt'])
      .where('key', 'in', askFor)
      .where('next_at', '>', now)
      .execute();
    for (const key of askFor) refusals.delete(key);
    for (const { key, nextAt } of rows) note(key, nextAt);
    return Math.max(0, ...rows.map(({ nextAt }) => nextAt));
  };

  const count = (key: string, { forgetMs, ...kind }: AttemptKind, now: number): Compilable => {
    const first = waitAfter(1, kind);
    const isOver = sql<boolean>`throttle.forget_at <= ${big(now)}`;
    const insert = query.insertInto('throttle').values({
      key,
      times: 1,
      last_at: now,
      next_at: now + first,
      forget_at: now + forgetMs,
    });
    return insert
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          // NULL, which the column refuses, undoes the unit.
          times: sql<number>`case
            when ${isOver} then 1
            when throttle.next_at > ${big(now)} then null
            else throttle.times + 1 end`,
          last_at: now,
          next_at: sql<number>`${big(now)} + case when ${isOver} then ${big(first)} else ${nextWait(kind)} end`,
          forget_at: now + forgetMs,
        }),
      )
      .returning(['key', 'next_at']);
  };

  const settling: Attempts['settling'] = ({ givenBack, forgotten }) => {
    const gone = new Set(forgotten.map(keyOf));
    const back = givenBack.map(keyOf).filter((key) => !gone.has(key));
    const statements = [...gone, ...back].sort().flatMap((key): Compilable[] => {
      const row = query.deleteFrom('throttle').where('key', '=', key);
      if (gone.has(key)) return [row];
      const less = query
        .updateTable('throttle')
        .set((update) => ({ times: update('times', '-', 1), next_at: 0 }))
        .where('key', '=', key);
      return [less, row.where('times', '<=', 0)];
    });
    return {
      statements,
      settled() {
        for (const key of [...gone, ...back]) refusals.delete(key);
      },
    };
  };
  const settle = async (how: Settlement): Promise<void> => {
    const { statements, settled } = settling(how);
    await database.write(statements);
    settled();
  };

  const begin = async (counters: readonly Counter[]): Promise<void> => {
    const counted = counters
      .map((counter) => ({ key: keyOf(counter), of: counter.of }))
      // Of two units that count on the same rows each locks them in the same order.
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    const keys = counted.map(({ key }) => key);
    // A flood on what waits costs a look every two seconds, and no write.
    let askFor = keys.filter((key) => (refusals.get(key)?.nextAt ?? 0) > clock());
    for (let race = 0; race < maxRaces; race += 1) {
      const now = clock();
      const untilMs = await refusedUntil(keys, askFor);
      if (untilMs > now) throw tooMany(untilMs - now);
      try {
        const results = await database.write(counted.map(({ key, of }) => count(key, of, now)));
        for (const row of results.flatMap(({ rows }) => rows)) {
          const nextAt = Number(row['next_at']);
          if (nextAt > now) note(String(row['key']), nextAt);
        }
        return;
      } catch (error) {
        if (!(error instanceof StorageError && error.code === 'not-null')) throw error;
        askFor = keys;
      }
    }
    throw tooMany(1000);
  };

  return {
    settling,
    begin: (...counters) => oneAtATime(counters[0] ? keyOf(counters[0]) : '', () => begin(counters)),
    giveBack: (...givenBack) => settle({ givenBack, forgotten: [] }),
    forget: (...forgotten) => settle({ givenBack: [], forgotten }),
  };
}

function keyOf({ of, name }: Counter): string {
  return throttleKey(of.kind, name);
}

type Waits = Pick<AttemptKind, 'free' | 'firstWaitMs' | 'maxWaitMs'>;

function waitAfter(times: number, { free, firstWaitMs, maxWaitMs }: Waits): number {
  return times < free ? 0 : Math.min(maxWaitMs, firstWaitMs * 2 ** (times - free));
}

/** The same for one time more than a row has, as SQL, which has no power that both databases know. */
function nextWait(kind: Waits): RawBuilder<number> {
  const { free, maxWaitMs } = kind;
  const cases: RawBuilder<unknown>[] = [sql`when throttle.times + 1 < ${big(free)} then 0`];
  for (let times = free; waitAfter(times, kind) < maxWaitMs; times += 1) {
    cases.push(sql`when throttle.times + 1 = ${big(times)} then ${big(waitAfter(times, kind))}`);
  }
  return sql<number>`case ${sql.join(cases, sql` `)} else ${big(maxWaitMs)} end`;
}

function tooMany(leftMs: number): ServiceError {
  const retryAfterSeconds = Math.ceil(leftMs / 1000);
  return new ServiceError('too_many_requests', `tried too often; try again in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  });
}
