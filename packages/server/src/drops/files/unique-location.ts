import type { Database } from '../../storage/database.js';
import { type DropRef, findFile } from './file-rows.js';
import { findFreeNumber } from './free-number.js';
import type { Location } from './location.js';

export interface UniqueLocation {
  readonly location: Location;
  /** Its file is there now, or does not come. */
  release(): void;
}

/** Places that nothing has: `a.jpg`, `a.jpg.1` and so on. Of those that ask at one moment each gets another. */
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
      // Another may have got it while the database was asked.
      if (reserved.has(key)) continue;
      reserved.add(key);
      return { location: nth(number), release: () => reserved.delete(key) };
    }
  };
}

function keyOf({ accountId, dropId }: DropRef, { area, parent, name }: Location): string {
  return JSON.stringify([accountId, dropId, area, parent, name]);
}
