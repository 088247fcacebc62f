import type { Database } from '../../storage/database.js';
import { type DropRef, findFile } from './file-rows.js';
import type { Location } from './location.js';

interface UniqueLocation {
  readonly location: Location;
  /** To be called once its file has a row, or will get none. */
  release(): void;
}

/**
 * Locations without a file: `a.jpg`, `a.jpg.1` and so on. Concurrent callers of this service get different ones, so that they do
 * not all try the same; of those of other services, the database decides who gets it.
 */
export function createUniqueLocations(
  database: Pick<Database, 'query'>,
): (drop: DropRef, location: Location) => Promise<UniqueLocation> {
  // Reported to clients before the rows are.
  const reserved = new Set<string>();
  return async (drop, wanted) => {
    const nth = (n: number): Location => ({
      ...wanted,
      name: n === 1 ? wanted.name : `${wanted.name}.${n - 1}`,
    });
    for (;;) {
      const number = await findFreeNumber(
        async (n) => !reserved.has(keyOf(drop, nth(n))) && (await findFile(database, drop, nth(n))) === null,
      );
      const key = keyOf(drop, nth(number));
      // Another caller may have reserved it during the query.
      if (reserved.has(key)) continue;
      reserved.add(key);
      return { location: nth(number), release: () => reserved.delete(key) };
    }
  };
}

function keyOf({ accountId, dropId }: DropRef, { area, parent, name }: Location): string {
  return JSON.stringify([accountId, dropId, area, parent, name]);
}

/**
 * A number from 1 up that is free, of those used mostly in order: found in few looks however many are taken, so that a
 * camera that calls all its images alike does not make each of them slower than the one before.
 */
export async function findFreeNumber(isFree: (number: number) => Promise<boolean>): Promise<number> {
  let taken = 0;
  let free = 1;
  while (!(await isFree(free))) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const between = Math.floor((taken + free) / 2);
    if (await isFree(between)) free = between;
    else taken = between;
  }
  return free;
}
