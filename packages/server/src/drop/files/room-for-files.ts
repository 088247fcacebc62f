import { LRUCache } from 'lru-cache';
import type { Database } from '../../storage/database.js';
import { DropError } from '../drop-error.js';
import { type DropRef, filesOf } from './file-rows.js';

/** Of so many drops the room is remembered. */
const maxDrops = 10_000;

/**
 * How many files may wait in a drop. They are counted when the room that was left at the last count is used up, and not for each
 * file: a million of them take a good part of a second. So files that are tried again may go beyond it, but new ones never.
 */
export function createRoomForFiles(
  database: Pick<Database, 'query'>,
  maxUnfinishedFiles: number,
): (drop: DropRef) => Promise<void> {
  const left = new LRUCache<string, number>({ max: maxDrops });

  /** Takes room for one file. Throws `too-many`. */
  return async (drop) => {
    const key = `${drop.accountId} ${drop.dropId}`;
    const before = left.get(key) ?? 0;
    if (before > 0) {
      left.set(key, before - 1);
      return;
    }
    const { count } = await filesOf(database, drop)
      .clearSelect()
      .select((from) => from.fn.countAll<number>().as('count'))
      .where('ended_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (count >= maxUnfinishedFiles) {
      throw new DropError('too-many', `${count} files wait to be sent on: send more when there are fewer`);
    }
    left.set(key, maxUnfinishedFiles - Number(count) - 1);
  };
}
