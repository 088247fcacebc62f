import { setTimeout as wait } from 'node:timers/promises';
import { type Compilable, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.js';
import { createKeyedMutex } from '../../core/keyed-mutex.js';
import { big, throttleKey } from '../../service/limits/throttle-key.js';
import type { Database } from '../../storage/database.js';
import { networkOf } from './client-network.js';

export interface LogInThrottleLimits {
  /** Failed log-ins on one connection; then it is closed. */
  readonly maxPerConnection: number;
  /** Failed log-ins of one address (IPv6: one /64) within `forgetMs`; then it is banned for `banMs`. */
  readonly maxPerAddress: number;
  readonly forgetMs: number;
  readonly banMs: number;
  /** Delay of the reply to a failed log-in; doubled with each further failure of the address, up to `maxDelayMs`. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

export const defaultLogInThrottleLimits: LogInThrottleLimits = {
  maxPerConnection: 3,
  maxPerAddress: 20,
  forgetMs: 600_000,
  banMs: 600_000,
  firstDelayMs: 500,
  maxDelayMs: 10_000,
};

/** Failed log-ins by address, in the database: of all services on it together none lets one too many through. */
export type LogInThrottle = ReturnType<typeof createLogInThrottle>;

/** One of `fail` and `succeed` is called. */
export type LogInTry = NonNullable<Awaited<ReturnType<LogInThrottle['begin']>>>;

/** Bans are known here for this many addresses; the least recently used are asked of the database again. */
const maxAddresses = 10_000;
const waitMs = 50;
/** Tries end within milliseconds: those that are held longer were left by a service that died. */
const maxHeldMs = 10_000;

export function createLogInThrottle(
  limits: LogInThrottleLimits,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
) {
  const { maxPerAddress, forgetMs, banMs } = limits;
  const { query } = database;
  /** Ends of bans by address. */
  const bans = new LRUCache<string, number>({ max: maxAddresses });
  /** An address takes one connection to the database, however many it has to this server. */
  const oneAtATime = createKeyedMutex();
  const keptMs = Math.max(forgetMs, banMs);
  const update = (key: string) => query.updateTable('throttle').where('key', '=', key);

  const hold = (key: string, now: number): Compilable => {
    const times = sql<number>`case when ${big(now)} - throttle.last_at >= ${big(forgetMs)} then 0 else throttle.times end`;
    const forget_at = now + keptMs;
    return query
      .insertInto('throttle')
      .values({ key, times: 0, held: 1, last_at: now, next_at: 0, forget_at })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({ held: sql<number>`throttle.held + 1`, times, forget_at })
          .where('throttle.next_at', '<=', now)
          .where(sql<boolean>`throttle.held + ${times} < ${big(maxPerAddress)}`),
      );
  };
  const letGo = { held: sql<number>`case when held > 0 then held - 1 else 0 end` };

  const fail = (key: string, now: number): Compilable => {
    const isLast = sql<boolean>`times + 1 >= ${big(maxPerAddress)}`;
    return update(key)
      .set({
        ...letGo,
        // The count restarts after a ban.
        times: sql<number>`case when ${isLast} then 0 else times + 1 end`,
        next_at: sql<number>`case when ${isLast} then ${big(now + banMs)} else next_at end`,
        last_at: now,
        forget_at: now + keptMs,
      })
      .returning(['times', 'next_at']);
  };

  const isBannedHere = (network: string) => (bans.get(network) ?? 0) > clock();
  const begun = (network: string, key: string) => ({
    /** Answers the delay of the reply, and whether the address is now banned. */
    async fail(): Promise<{ readonly delayMs: number; readonly isBanned: boolean }> {
      const now = clock();
      const [failed] = await oneAtATime(key, () => database.write([fail(key, now)]));
      const row = failed?.rows[0];
      const until = Number(row?.['next_at'] ?? 0);
      const isBanned = until > now;
      if (isBanned) bans.set(network, until);
      const count = isBanned ? maxPerAddress : Number(row?.['times'] ?? 1);
      const delayMs = Math.min(limits.firstDelayMs * 2 ** Math.min(count - 1, 30), limits.maxDelayMs);
      return { delayMs, isBanned };
    },
    async succeed() {
      // A success cancels one failure only: the owner of one drop could otherwise guess keys of another without limit.
      const times = sql<number>`case when times > 0 then times - 1 else 0 end`;
      const empty = query
        .deleteFrom('throttle')
        .where(({ and }) => and({ key, times: 0, held: 0 }))
        .where('next_at', '<=', clock());
      await oneAtATime(key, () => database.write([update(key).set({ ...letGo, times }), empty]));
    },
  });

  return {
    /** Whether a ban of the address is known here; one that another service pronounced is, from the first try on. */
    isKnownBanned: (address: string) => isBannedHere(networkOf(address)),

    /**
     * Counts a log-in before it is known how it ends, so that of many at once no more than are left are looked at; those beyond
     * wait until it is known. Null while the address is banned.
     */
    async begin(address: string) {
      const network = networkOf(address);
      const key = throttleKey('ftp log-in', network);
      for (let waitedMs = 0; !isBannedHere(network); waitedMs += waitMs) {
        const now = clock();
        const [held] = await oneAtATime(key, () => database.write([hold(key, now)]));
        if (held?.changes === 1) return begun(network, key);
        const row = await query
          .selectFrom('throttle')
          .select('next_at as until')
          .where('key', '=', key)
          .executeTakeFirst();
        if (row && row.until > now) bans.set(network, row.until);
        else if (waitedMs >= maxHeldMs) await database.write([update(key).set({ held: 0 })]);
        else await wait(waitMs);
      }
      return null;
    },
  };
}
