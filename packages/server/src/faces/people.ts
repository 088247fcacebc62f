import { sql } from 'kysely';
import { caseFold, checkName, checkNewName } from '../accounts/names.js';
import type { Clock } from '../core/clock.js';
import { quote } from '../core/quote.js';
import { ServiceError } from '../core/service-error.js';
import type { Database } from '../storage/database.js';
import { type Page, type PageRequest, toPage } from '../storage/page.js';
import { StorageError } from '../storage/storage-error.js';
import type { CommitUnit } from './commit-unit.js';
import type { FaceQuota } from './face-quota.js';
import type { ListedPerson, Person } from './person.js';
import { insertPerson, searchText, toListed, toPerson } from './person-rows.js';

export type { ListedPerson, Person } from './person.js';

/** The people of an account's perceptions. One of another account is `not_found`, as one that there is not. */
export type People = ReturnType<typeof createPeople>;

export function createPeople(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly quota: FaceQuota;
}) {
  const { database, clock, quota } = deps;
  const { query } = database;
  const visible = (accountId: number) =>
    query
      .selectFrom('person')
      .innerJoin('perception', (join) =>
        join
          .onRef('perception.account_id', '=', 'person.account_id')
          .onRef('perception.id', '=', 'person.perception_id')
          .on('perception.deleted_at', 'is', null),
      )
      .selectAll('person')
      .where('person.account_id', '=', accountId);
  const listed = (accountId: number) =>
    visible(accountId).select((row) => {
      const images = row
        .selectFrom('face_image')
        .whereRef('face_image.account_id', '=', 'person.account_id')
        .whereRef('face_image.person_id', '=', 'person.id');
      return [
        images.select((inner) => inner.fn.countAll<number>().as('count')).as('images'),
        images.select('face_image.id').orderBy('face_image.id', 'desc').limit(1).as('newest_image_id'),
      ];
    });

  const read = async (accountId: number, personId: number): Promise<ListedPerson> => {
    const row = await listed(accountId).where('person.id', '=', personId).executeTakeFirst();
    if (!row) throw new ServiceError('not_found', `person ${personId} is not one of your people`);
    return toListed(row);
  };

  return {
    read,

    /** Throws `conflict` where another person has the key id, `account_full` and `no_space`. */
    async create(
      accountId: number,
      perceptionId: number,
      { name: wantedName, keyId = null }: { readonly name: string; readonly keyId?: string | null },
      commit: CommitUnit = database.write,
    ): Promise<Person> {
      const name = checkNewName('name', wantedName);
      const key = toKeyId(keyId);
      await quota.require(accountId, { people: 1 });
      const createdAt = clock();
      const [, made] = await commit(
        insertPerson(database, accountId, perceptionId, { name, keyId: key, createdAt }),
      ).catch(rethrowTakenKey(key));
      return { id: Number(made?.rows[0]?.['id']), perceptionId, name, keyId: key, createdAt };
    },

    /** The newest first; `search` is a part of the name or of the key id, large or small. A position is an id. */
    async list(
      accountId: number,
      perceptionId: number,
      { search }: { readonly search?: string | undefined },
      { limit, after }: PageRequest<number>,
    ): Promise<Page<ListedPerson, number>> {
      let rows = listed(accountId).where('person.perception_id', '=', perceptionId);
      if (after !== undefined) rows = rows.where('person.id', '<', after);
      if (search !== undefined) {
        const pattern = `%${caseFold(search).replace(/[!%_]/g, '!$&')}%`;
        rows = rows.where(sql<boolean>`person.search_text like ${pattern} escape '!'`);
      }
      const found = await rows
        .orderBy('person.id', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(found.map(toListed), limit, ({ id }) => id);
    },

    /** Null when there is none. */
    async find(accountId: number, personId: number): Promise<Person | null> {
      const row = await visible(accountId).where('person.id', '=', personId).executeTakeFirst();
      return row ? toPerson(row) : null;
    },

    async findByKeyId(accountId: number, perceptionId: number, keyId: string): Promise<Person | null> {
      const row = await visible(accountId)
        .where('person.perception_id', '=', perceptionId)
        .where('person.key_id', '=', keyId)
        .executeTakeFirst();
      return row ? toPerson(row) : null;
    },

    /** Those who have this very name, composed or decomposed (Unicode NFC, NFD); the first two of them. */
    async withName(accountId: number, perceptionId: number, name: string): Promise<readonly Person[]> {
      const rows = await visible(accountId)
        .where('person.perception_id', '=', perceptionId)
        .where('person.name', 'in', [name.normalize('NFC'), name.normalize('NFD')])
        .orderBy('person.id')
        .limit(2)
        .execute();
      return rows.map(toPerson);
    },

    /** Those of these ids that there are, by id. */
    async named(accountId: number, personIds: readonly number[]): Promise<ReadonlyMap<number, Person>> {
      if (personIds.length === 0) return new Map();
      const rows = await visible(accountId).where('person.id', 'in', personIds).execute();
      return new Map(rows.map((row) => [row.id, toPerson(row)]));
    },

    async count(accountId: number, perceptionId: number): Promise<number> {
      const row = await query
        .selectFrom('person')
        .select((from) => from.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('perception_id', '=', perceptionId)
        .executeTakeFirst();
      return row?.count ?? 0;
    },

    /** Throws `conflict` when the perception has another person of this key id. */
    async change(
      accountId: number,
      personId: number,
      change: { readonly name?: string | undefined; readonly keyId?: string | null | undefined },
    ): Promise<ListedPerson> {
      const before = await read(accountId, personId);
      const name = change.name === undefined ? before.name : checkNewName('name', change.name);
      const keyId = change.keyId === undefined ? before.keyId : toKeyId(change.keyId);
      await database
        .write([
          query
            .updateTable('person')
            .set({ name, key_id: keyId, search_text: searchText(name, keyId) })
            .where('account_id', '=', accountId)
            .where('id', '=', personId),
        ])
        .catch(rethrowTakenKey(keyId));
      return read(accountId, personId);
    },
  };
}

function toKeyId(text: string | null): string | null {
  return text === null ? null : checkName('key_id', text);
}

function rethrowTakenKey(keyId: string | null): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof StorageError) || error.code !== 'unique') throw error;
    throw new ServiceError(
      'conflict',
      `the perception has another person of the key_id ${quote(keyId ?? '')}`,
      {
        cause: error,
      },
    );
  };
}
