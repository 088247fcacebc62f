import type { Clock } from '../clock.js';
import type { Database } from '../storage/database.js';
import { countUp, lastId } from './count-up.js';
import { fromVectorBytes, toVectorBytes } from './vector-bytes.js';

/** Faces of which somebody said that they are not a certain person's. */
export interface Corrections {
  /** Answers its id. */
  add(accountId: number, personId: number, embedder: string, vector: Float32Array): Promise<number>;
  /** Vectors by person, of those people that have any. */
  of(
    accountId: number,
    embedder: string,
    personIds: readonly number[],
  ): Promise<ReadonlyMap<number, readonly Float32Array[]>>;
}

export function createCorrections(deps: { readonly database: Database; readonly clock: Clock }): Corrections {
  const { database, clock } = deps;
  const { query } = database;
  return {
    async add(accountId, personId, embedder, vector) {
      const [, made] = await database.write([
        countUp(database, accountId, 'face_correction'),
        query
          .insertInto('face_correction')
          .values({
            account_id: accountId,
            id: lastId(accountId, 'face_correction'),
            person_id: personId,
            embedder,
            vector: toVectorBytes(vector),
            created_at: clock(),
          })
          .returning('id'),
      ]);
      return Number(made?.rows[0]?.['id']);
    },

    async of(accountId, embedder, personIds) {
      const byPerson = new Map<number, Float32Array[]>();
      if (personIds.length === 0) return byPerson;
      const rows = await query
        .selectFrom('face_correction')
        .select(['person_id as personId', 'vector'])
        .where('account_id', '=', accountId)
        .where('embedder', '=', embedder)
        .where('person_id', 'in', personIds)
        .execute();
      for (const { personId, vector } of rows) {
        const known = byPerson.get(personId) ?? [];
        byPerson.set(personId, [...known, fromVectorBytes(vector)]);
      }
      return byPerson;
    },
  };
}
