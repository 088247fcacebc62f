import { type Compilable, sql } from 'kysely';
import { ServiceError } from '../../core/service-error.js';
import type { Settings } from '../../core/settings.js';
import type { Database } from '../../storage/database.js';
import type { DiskGuard } from '../../storage/disk-guard.js';
import { refuseUnless } from '../../storage/leases/fence.js';

export type VideoQuota = ReturnType<typeof createVideoQuota>;

interface VideoQuotaDeps {
  readonly database: Pick<Database, 'query'>;
  readonly disk: DiskGuard;
  readonly limits: Pick<Settings, 'videoMaxBytes' | 'videoMaxTotalBytes'>;
}

/** How much video an account may still keep. Thumbnails and timelines do not count. */
export function createVideoQuota({ database, disk, limits }: VideoQuotaDeps) {
  const { query } = database;
  const { videoMaxBytes, videoMaxTotalBytes } = limits;
  const kept = (accountId: number) =>
    query
      .selectFrom('media_blob')
      .select(({ fn }) => fn.coalesce(fn.sum<number>('size_bytes'), sql<number>`0`).as('bytes'))
      .where('account_id', '=', accountId)
      .where('kind', '=', 'video');

  const readLeft = async (accountId: number): Promise<number> => {
    if (videoMaxTotalBytes === 0) return Number.POSITIVE_INFINITY;
    return videoMaxTotalBytes - Number((await kept(accountId).executeTakeFirstOrThrow()).bytes);
  };
  const check = (bytes: number, leftBytes: number) => {
    if (bytes > videoMaxBytes) {
      throw new ServiceError('file_too_large', `a video may have ${videoMaxBytes} bytes at most`);
    }
    if (bytes > leftBytes) {
      throw new ServiceError(
        'account_full',
        `the videos of an account have ${videoMaxTotalBytes} bytes at most: delete some first`,
      );
    }
  };

  return {
    /** Throws `file_too_large`, `account_full` and `no_space` where a file of so many bytes has no room. */
    async require(accountId: number, bytes: number) {
      // One that is full takes no more, however small.
      check(Math.max(1, bytes), await readLeft(accountId));
      await disk.require(bytes);
    },

    /** The same pieces, which end with the same errors as soon as they are too many. */
    async *guard(accountId: number, content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
      const leftBytes = await readLeft(accountId);
      let bytes = 0;
      for await (const piece of disk.guard(content)) {
        bytes += piece.byteLength;
        check(bytes, leftBytes);
        yield piece;
      }
    },

    /**
     * For a serialized unit that adds a file: undoes it, as `not-null`, when others have taken the room meanwhile.
     */
    refuseWhenFull(accountId: number, bytes: number): readonly Compilable[] {
      if (videoMaxTotalBytes === 0) return [];
      const isLess = sql<boolean>`(${kept(accountId)}) <= cast(${videoMaxTotalBytes - bytes} as bigint)`;
      return [refuseUnless(database, query.selectNoFrom(sql<number>`1`.as('has_room')).where(isLess))];
    },
  };
}
