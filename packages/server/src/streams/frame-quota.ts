import { sql } from 'kysely';
import type { Clock } from '../core/clock.js';
import type { Database } from '../storage/database.js';

export interface FramesToday {
  /** Counted since midnight UTC, ahead in blocks. */
  readonly today: number;
  /** 0: no limit. */
  readonly limitPerDay: number;
}

/** Frames of streams and videos that an account may have analysed in a day (UTC), counted alike by all replicas. */
export type FrameQuota = ReturnType<typeof createFrameQuota>;

interface FrameQuotaDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly clock: Clock;
  /** 0: no limit. */
  readonly maxPerDay: number;
}

export function createFrameQuota({ database, clock, maxPerDay }: FrameQuotaDeps) {
  const { query, write } = database;
  const today = () => frameDayOf(clock());
  const rowOf = (accountId: number, day: string) =>
    query.updateTable('stream_frames').where('account_id', '=', accountId).where('day', '=', day);

  return {
    /**
     * Counts frames that are about to be analysed. Answers how many of them may be, from 0 to `frames`; the rest is not counted.
     * Throws `StorageError` `constraint` where the account is gone.
     * @param frames 1 or more
     */
    async reserve(accountId: number, frames: number): Promise<number> {
      const day = today();
      const sum = sql<number>`stream_frames.frames + cast(${frames} as bigint)`;
      const counted =
        maxPerDay === 0
          ? sum
          : sql<number>`case
              when ${sum} <= cast(${maxPerDay} as bigint) then ${sum}
              when stream_frames.frames < cast(${maxPerDay} as bigint) then cast(${maxPerDay} as bigint)
              else stream_frames.frames
            end`;
      // The first locks the row, so that the second counts from what the first answers.
      const [before, after] = await write([
        query
          .insertInto('stream_frames')
          .values({ account_id: accountId, day, frames: 0 })
          .onConflict((conflict) =>
            conflict
              .columns(['account_id', 'day'])
              .doUpdateSet({ frames: sql<number>`stream_frames.frames` }),
          )
          .returning('frames'),
        rowOf(accountId, day).set({ frames: counted }).returning('frames'),
      ]);
      return Number(after?.rows[0]?.['frames']) - Number(before?.rows[0]?.['frames']);
    },

    /** Frames that were reserved today and will not be analysed. */
    async giveBack(accountId: number, frames: number) {
      await write([
        rowOf(accountId, today()).set({
          frames: sql<number>`case when frames > cast(${frames} as bigint) then frames - cast(${frames} as bigint) else 0 end`,
        }),
      ]);
    },

    async read(accountId: number): Promise<FramesToday> {
      const row = await query
        .selectFrom('stream_frames')
        .select('frames')
        .where('account_id', '=', accountId)
        .where('day', '=', today())
        .executeTakeFirst();
      return { today: row?.frames ?? 0, limitPerDay: maxPerDay };
    },
  };
}

/** The UTC day whose frames are counted together. */
export function frameDayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
