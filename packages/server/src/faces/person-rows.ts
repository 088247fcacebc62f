import type { Compilable, Selectable } from 'kysely';
import { caseFold } from '../accounts/names.js';
import { countUp, lastId } from '../storage/count-up.js';
import type { Database } from '../storage/database.js';
import type { Schema } from '../storage/schema.js';
import type { ListedPerson, Person } from './person.js';

/** Two statements; the second one answers the id, which is `lastId` of the kind `person` in the same unit. */
export function insertPerson(
  database: Pick<Database, 'query'>,
  accountId: number,
  perceptionId: number,
  { name, keyId, createdAt }: Pick<Person, 'name' | 'keyId' | 'createdAt'>,
): readonly Compilable[] {
  return [
    countUp(database, accountId, 'person'),
    database.query
      .insertInto('person')
      .values({
        account_id: accountId,
        id: lastId(accountId, 'person'),
        perception_id: perceptionId,
        name,
        key_id: keyId,
        search_text: searchText(name, keyId),
        created_at: createdAt,
      })
      .returning('id'),
  ];
}

/** What a search for people looks through. */
export function searchText(name: string, keyId: string | null): string {
  return caseFold(keyId === null ? name : `${name}\n${keyId}`);
}

export function toPerson(row: Selectable<Schema['person']>): Person {
  return {
    id: row.id,
    perceptionId: row.perception_id,
    name: row.name,
    keyId: row.key_id,
    createdAt: row.created_at,
  };
}

export function toListed(
  row: Selectable<Schema['person']> & {
    readonly images: number | null;
    readonly newest_image_id: number | null;
  },
): ListedPerson {
  return { ...toPerson(row), images: row.images ?? 0, newestImageId: row.newest_image_id };
}
