import { type Compilable, sql } from 'kysely';
import type { Clock } from '../../core/clock.js';
import { tooMany, type Waits, waitAfter } from '../../service/limits/limiter.js';
import type { Database } from '../../storage/database.js';

/** Where a code of a second factor comes from: each of a user's origins has a counter of its own. */
export type CodeOrigin =
  /** A browser that nobody knows: all of them together. */
  | { readonly kind: 'unknown' }
  /** A browser that signed this user in before: it stays in force while others guess. */
  | { readonly kind: 'device'; readonly id: string }
  /** A user who is signed in already. */
  | { readonly kind: 'session' };

export function originOf(deviceId: string | null): CodeOrigin {
  return deviceId === null ? { kind: 'unknown' } : { kind: 'device', id: deviceId };
}

export interface WrongCodes {
  readonly count: number;
  readonly lastAt: number;
}

/**
 * How often the codes of a second factor may be guessed, kept in the database: exact over restarts and for several services.
 * Only asked once the password, a link or a session is good, so nobody without one of these counts.
 */
export type CodeLimits = ReturnType<typeof createCodeLimits>;

/** Some are free, as one mistypes; then ten a day at last. */
const waits: Waits = { free: 5, firstWaitMs: 60_000, maxWaitMs: 144 * 60_000 };
const forgivenEveryMs = 86_400_000;
/** Two at once read the same row: one counts, the other reads again. */
const maxRaces = 50;

interface Counter {
  readonly failures: number;
  readonly lastAt: number;
  readonly nextAt: number;
}

const none: Counter = { failures: 0, lastAt: 0, nextAt: 0 };

export function createCodeLimits({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}) {
  const { query } = database;
  const updateOf = (userId: number, name: string) =>
    query.updateTable('web_code_counter').where('user_id', '=', userId).where('name', '=', name);

  const read = async (userId: number, name: string): Promise<Counter> =>
    (await query
      .selectFrom('web_code_counter')
      .select(['failures', 'last_at as lastAt', 'next_at as nextAt'])
      .where('user_id', '=', userId)
      .where('name', '=', name)
      .executeTakeFirst()) ?? none;

  /** False when another request counted meanwhile. */
  const store = async (userId: number, name: string, before: Counter, after: Counter) => {
    const { failures, lastAt: last_at, nextAt: next_at } = after;
    const insert = query
      .insertInto('web_code_counter')
      .values({ user_id: userId, name, failures, last_at, next_at, unseen: 1 });
    const statement = insert.onConflict((conflict) =>
      conflict
        .columns(['user_id', 'name'])
        .doUpdateSet({ failures, last_at, next_at, unseen: sql<number>`web_code_counter.unseen + 1` })
        .where('web_code_counter.failures', '=', before.failures)
        .where('web_code_counter.last_at', '=', before.lastAt)
        .where('web_code_counter.next_at', '=', before.nextAt),
    );
    const [written] = await database.write([statement]);
    return written?.changes === 1;
  };

  /** The user's own mistypes on a browser they are known by are no news; of one that had to wait they are. */
  const forgetDevice = (userId: number, name: string) =>
    updateOf(userId, name).set({
      failures: 0,
      next_at: 0,
      unseen: sql<number>`case when failures > ${waits.free} then unseen - 1 else 0 end`,
    });
  /** Others go on counting: a user who signs in must not give a guesser new tries. */
  const takeBack = (userId: number, name: string, before: Counter, mine: Counter) =>
    updateOf(userId, name).set({
      failures: sql<number>`case when failures > 0 then failures - 1 else 0 end`,
      unseen: sql<number>`case when unseen > 0 then unseen - 1 else 0 end`,
      last_at: sql<number>`case when last_at = ${mine.lastAt} then cast(${before.lastAt} as bigint) else last_at end`,
      next_at: sql<number>`case when next_at = ${mine.nextAt} then cast(${before.nextAt} as bigint) else next_at end`,
    });

  return {
    /**
     * Counts a code before it is known whether it is right: of many at once each counts. Throws `too_many_requests` while the wait
     * is not over, with when it is. A recovery code never waits: nobody guesses 80 bits, and so it is a way in while others guess.
     */
    async begin(userId: number, code: 'totp' | 'recovery', origin: CodeOrigin) {
      const name = nameOf(code, origin);
      for (let race = 0; race < maxRaces; race += 1) {
        const now = clock();
        const before = await read(userId, name);
        if (before.nextAt > now) throw tooManyCodes(before.nextAt - now);
        const forgiven = Math.max(0, Math.floor((now - before.lastAt) / forgivenEveryMs));
        const failures = Math.max(0, before.failures - forgiven) + 1;
        const waitMs = code === 'recovery' ? 0 : waitAfter(failures, waits);
        const after = { failures, lastAt: now, nextAt: waitMs === 0 ? 0 : now + waitMs };
        if (!(await store(userId, name, before, after))) continue;
        return {
          /** Of this origin, among them this one, as if it were wrong. */
          failures,
          /** The code was right: it is not counted. */
          async succeed() {
            await database.write([
              origin.kind === 'device' && code === 'totp'
                ? forgetDevice(userId, name)
                : takeBack(userId, name, before, after),
            ]);
          },
        };
      }
      throw tooManyCodes(1000);
    },

    /** For the unit that ends or renews a second factor: its guesses are over, and what the user was not shown stays. */
    clearing: (userId: number): Compilable =>
      query.updateTable('web_code_counter').set({ failures: 0, next_at: 0 }).where('user_id', '=', userId),

    /** Wrong codes that the user was not shown yet. */
    async wrongCodes(userId: number): Promise<WrongCodes | null> {
      const { count, lastAt } = await query
        .selectFrom('web_code_counter')
        .select((row) => [row.fn.sum<number>('unseen').as('count'), row.fn.max('last_at').as('lastAt')])
        .where('user_id', '=', userId)
        .where('unseen', '>', 0)
        .executeTakeFirstOrThrow();
      // A sum comes as a text of PostgreSQL.
      return Number(count ?? 0) === 0 ? null : { count: Number(count), lastAt: Number(lastAt) };
    },

    async dismiss(userId: number) {
      await database.write([
        query.updateTable('web_code_counter').set({ unseen: 0 }).where('user_id', '=', userId),
      ]);
    },
  };
}

function nameOf(code: 'totp' | 'recovery', origin: CodeOrigin): string {
  if (code === 'recovery') return 'recovery';
  return origin.kind === 'device' ? `device ${origin.id}` : origin.kind;
}

function tooManyCodes(leftMs: number) {
  return tooMany('too many wrong codes; try again in', leftMs, ', or use a recovery code');
}
