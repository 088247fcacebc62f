import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.js';
import { createKeyedMutex } from '../../core/keyed-mutex.js';
import type { Database } from '../../storage/database.js';
import { big, maxKnown, throttleKey } from './throttle-key.js';

/** Counts by windows of time that begin with the first count, in the database: for all services on it together. */
export type SharedWindows = ReturnType<typeof createSharedWindows>;

/** What one write counted. */
interface Batch {
  readonly size: number;
  /** Of the window, with these. */
  readonly times: number;
  readonly endsAt: number;
}

interface Gathering {
  size: number;
  readonly written: Promise<Batch>;
}

export function createSharedWindows(
  { kind, windowMs }: { readonly kind: string; readonly windowMs: number },
  { database, clock }: { readonly database: Database; readonly clock: Clock },
) {
  const { query } = database;
  /** Ends of windows that are full, which nothing empties before. */
  const full = new LRUCache<string, number>({ max: maxKnown });
  const gathering = new Map<string, Gathering>();
  const oneAtATime = createKeyedMutex();

  const write = async (key: string, size: number): Promise<Batch> => {
    const now = clock();
    const isOver = sql<boolean>`throttle.next_at <= ${big(now)}`;
    const end = sql<number>`case when ${isOver} then ${big(now + windowMs)} else throttle.next_at end`;
    const [counted] = await database.write([
      query
        .insertInto('throttle')
        .values({ key, times: size, last_at: now, next_at: now + windowMs, forget_at: now + windowMs })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            times: sql<number>`case when ${isOver} then 0 else throttle.times end + ${big(size)}`,
            last_at: now,
            next_at: end,
            forget_at: end,
          }),
        )
        .returning(['times', 'next_at']),
    ]);
    const row = counted?.rows[0];
    return { size, times: Number(row?.['times']), endsAt: Number(row?.['next_at']) };
  };

  /** Those that come while one write is under way share the next: a busy account takes one connection to the database. */
  const gather = (key: string): Gathering => {
    const batch: Gathering = {
      size: 0,
      written: oneAtATime(key, async () => {
        // All that come at the same time.
        await null;
        gathering.delete(key);
        return write(key, batch.size);
      }),
    };
    gathering.set(key, batch);
    return batch;
  };

  return {
    /** Counts one; answers null, or for how many milliseconds none more is allowed. */
    async count(name: string, max: number): Promise<number | null> {
      const key = throttleKey(kind, name);
      const fullUntil = full.get(key) ?? 0;
      if (fullUntil > clock()) return fullUntil - clock();
      const batch = gathering.get(key) ?? gather(key);
      batch.size += 1;
      const position = batch.size;
      const { size, times, endsAt } = await batch.written;
      if (times >= max) full.set(key, endsAt);
      return times - size + position > max ? Math.max(0, endsAt - clock()) : null;
    },
  };
}
