import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import { countUp, lastId } from '../storage/count-up.js';
import type { Database } from '../storage/database.js';
import { type Page, type PageRequest, toPage } from '../storage/page.js';
import { StorageError } from '../storage/storage-error.js';
import { comparableWith } from './embedder-figures.js';
import type { FaceQuota } from './face-quota.js';
import { fromVectorBytes, toVectorBytes } from './vector-bytes.js';

export interface Correction {
  readonly id: number;
  readonly personId: number;
  readonly createdAt: number;
}

/** Faces that users marked as not being of a certain person. */
export type Corrections = ReturnType<typeof createCorrections>;

/** Every search for a face that looks like the person reads them all. */
const maxPerPerson = 100;

export function createCorrections(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly quota: FaceQuota;
}) {
  const { database, clock, quota } = deps;
  const { query } = database;

  const checkCount = async (accountId: number, personId: number) => {
    const row = await query
      .selectFrom('face_correction')
      .select((from) => from.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('person_id', '=', personId)
      .executeTakeFirst();
    if ((row?.count ?? 0) < maxPerPerson) return;
    throw new ServiceError(
      'conflict',
      `person ${personId} has ${maxPerPerson} corrections: delete some, or look whether images of other people are among theirs`,
    );
  };

  return {
    /** Throws `conflict` when the person has as many as may be, `not_found` when they are gone, `account_full` and `no_space`. */
    async add(
      accountId: number,
      personId: number,
      embedder: string,
      vector: Float32Array,
    ): Promise<Correction> {
      await checkCount(accountId, personId);
      await quota.require(accountId, { corrections: 1 });
      const createdAt = clock();
      const [, made] = await database
        .write([
          countUp(database, accountId, 'face_correction'),
          query
            .insertInto('face_correction')
            .values({
              account_id: accountId,
              id: lastId(accountId, 'face_correction'),
              person_id: personId,
              embedder,
              vector: toVectorBytes(vector),
              created_at: createdAt,
            })
            .returning('id'),
        ])
        .catch((error: unknown) => {
          if (!(error instanceof StorageError) || error.code !== 'constraint') throw error;
          throw new ServiceError('not_found', `person ${personId} is there no longer`, { cause: error });
        });
      return { id: Number(made?.rows[0]?.['id']), personId, createdAt };
    },

    /** The newest first; a position is an id. */
    async list(
      accountId: number,
      personId: number,
      { limit, after }: PageRequest<number>,
    ): Promise<Page<Correction, number>> {
      let rows = query
        .selectFrom('face_correction')
        .select(['id', 'person_id as personId', 'created_at as createdAt'])
        .where('account_id', '=', accountId)
        .where('person_id', '=', personId);
      if (after !== undefined) rows = rows.where('id', '<', after);
      const found = await rows
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(found, limit, ({ id }) => id);
    },

    /** Throws `not_found` for one that this person does not have. */
    async remove(accountId: number, personId: number, id: number) {
      const [removed] = await database.write([
        query
          .deleteFrom('face_correction')
          .where('account_id', '=', accountId)
          .where('person_id', '=', personId)
          .where('id', '=', id),
      ]);
      if (removed?.changes === 1) return;
      throw new ServiceError('not_found', `correction ${id} is not one of this person`);
    },

    /** Vectors by person, of those people that have any. */
    async of(
      accountId: number,
      embedder: string,
      personIds: readonly number[],
    ): Promise<ReadonlyMap<number, readonly Float32Array[]>> {
      const byPerson = new Map<number, Float32Array[]>();
      if (personIds.length === 0) return byPerson;
      const rows = await query
        .selectFrom('face_correction')
        .select(['person_id as personId', 'vector'])
        .where('account_id', '=', accountId)
        .where('embedder', 'like', comparableWith(embedder))
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
