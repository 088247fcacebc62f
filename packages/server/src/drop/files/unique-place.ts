import type { Database } from '../../storage/database.js';
import { type DropRef, findFile } from './file-rows.js';
import { findFreeNumber } from './free-number.js';
import type { Place } from './place.js';

export interface UniquePlace {
  readonly place: Place;
  /** Its file is there now, or does not come. */
  release(): void;
}

/** Places that nothing has: `a.jpg`, `a.jpg.1` and so on. Of those that ask at one moment each gets another. */
export function createUniquePlaces(
  database: Pick<Database, 'query'>,
): (drop: DropRef, place: Place) => Promise<UniquePlace> {
  // Told to clients, while the rows are on their way.
  const promised = new Set<string>();
  return async (drop, wanted) => {
    const nth = (n: number): Place => ({
      ...wanted,
      name: n === 1 ? wanted.name : `${wanted.name}.${n - 1}`,
    });
    for (;;) {
      const number = await findFreeNumber(
        async (n) => !promised.has(keyOf(drop, nth(n))) && (await findFile(database, drop, nth(n))) === null,
      );
      const key = keyOf(drop, nth(number));
      // Another may have got it while the database was asked.
      if (promised.has(key)) continue;
      promised.add(key);
      return { place: nth(number), release: () => promised.delete(key) };
    }
  };
}

function keyOf({ accountId, dropId }: DropRef, { area, parent, name }: Place): string {
  return JSON.stringify([accountId, dropId, area, parent, name]);
}
