import { LRUCache } from 'lru-cache';
import type { Database } from '../../storage/database.js';
import { DropError } from '../drop-error.js';
import { type DropRef, filesOf } from './file-rows.js';

/** Of so many drops the room is remembered. */
const maxDrops = 10_000;

/**
 * How many files may wait in a drop. They are counted when the room that was left at the last count is used up, and not for each
 * file: a million of them take a good part of a second. So the files that are tried again, and the few whose rows are on their way
 * while it counts, may go beyond it.
 */
export function createFileQuota(
  database: Pick<Database, 'query'>,
  maxUnfinishedFiles: number,
): (drop: DropRef) => Promise<void> {
  const quotas = new LRUCache<string, { left: number; counting: Promise<number> | null }>({ max: maxDrops });

  const countFiles = async (drop: DropRef): Promise<number> => {
    const { count } = await filesOf(database, drop)
      .clearSelect()
      .select((from) => from.fn.countAll<number>().as('count'))
      .where('ended_at', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(count);
  };

  /** Takes room for one file. Throws `too-many`. */
  return async (drop) => {
    const key = `${drop.accountId} ${drop.dropId}`;
    const quota = quotas.get(key) ?? { left: 0, counting: null };
    quotas.set(key, quota);
    while (quota.left <= 0) {
      quota.counting ??= countFiles(drop)
        .then((count) => {
          quota.left = maxUnfinishedFiles - count;
          return count;
        })
        .finally(() => {
          quota.counting = null;
        });
      const count = await quota.counting;
      if (count >= maxUnfinishedFiles) {
        throw new DropError('too-many', `${count} files wait to be sent on: send more when there are fewer`);
      }
    }
    quota.left--;
  };
}
