import { type Compilable, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.js';
import { createKeyedMutex } from '../../core/keyed-mutex.js';
import type { Database } from '../../storage/database.js';
import { big, maxKnown, refusalTrustedMs, throttleKey } from './throttle-key.js';

export interface BucketLimits {
  /** Names what is counted; no two have the same. */
  readonly kind: string;
  /** Tokens of a full bucket. */
  readonly free: number;
  /** For one token more. */
  readonly intervalMs: number;
}

/**
 * A bucket of tokens for each name, in the database: of several services that take from it together none gets one too many. A row
 * has one time, when the bucket is full again (the generic cell rate algorithm of ITU-T I.371).
 */
export type TokenBuckets = ReturnType<typeof createTokenBuckets>;

export function createTokenBuckets(
  { kind, free, intervalMs }: BucketLimits,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
) {
  const { query } = database;
  const empty = new LRUCache<string, { readonly nextAt: number; readonly askedAt: number }>({
    max: maxKnown,
  });
  /** A flood on one name takes one connection to the database, and of those refused the first alone asks it. */
  const oneAtATime = createKeyedMutex();

  const takeOf = (key: string, now: number): Compilable => {
    const fullAt = sql<number>`case when throttle.next_at > ${big(now)} then throttle.next_at else ${big(now)} end + ${big(intervalMs)}`;
    const row = { key, times: 0, last_at: now, next_at: now + intervalMs, forget_at: now + intervalMs };
    return query
      .insertInto('throttle')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({ last_at: now, next_at: fullAt, forget_at: fullAt })
          .where('throttle.next_at', '<=', now + (free - 1) * intervalMs),
      );
  };
  const givingBack = (name: string) => {
    const key = throttleKey(kind, name);
    empty.delete(key);
    return query
      .updateTable('throttle')
      .set((row) => ({
        next_at: row('next_at', '-', intervalMs),
        forget_at: row('forget_at', '-', intervalMs),
      }))
      .where('key', '=', key);
  };

  const take = async (key: string): Promise<number | null> => {
    const now = clock();
    const known = empty.get(key);
    if (known && known.nextAt > now && now - known.askedAt < refusalTrustedMs) return known.nextAt;
    const [taken] = await database.write([takeOf(key, now)]);
    if (taken?.changes === 1) return null;
    const row = await query
      .selectFrom('throttle')
      .select('next_at as fullAt')
      .where('key', '=', key)
      .executeTakeFirst();
    const nextAt = (row?.fullAt ?? 0) - (free - 1) * intervalMs;
    empty.set(key, { nextAt, askedAt: now });
    return nextAt;
  };

  return {
    /** Takes one; answers null, or when there will be one, in milliseconds since 1970. */
    take: (name: string): Promise<number | null> => oneAtATime(name, () => take(throttleKey(kind, name))),
    async giveBack(name: string) {
      await database.write([givingBack(name)]);
    },
    /** For a unit of the caller. */
    givingBack,
  };
}
