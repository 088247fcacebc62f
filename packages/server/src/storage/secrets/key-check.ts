import type { Compilable } from 'kysely';
import type { Database } from '../database.js';
import { deriveKey } from './derive-key.js';

/** What the database keeps of the key of its installation: enough to know it again, and nothing to find it by. */
export function keyCheckOf(key: Uint8Array): string {
  return deriveKey(key, 'key check').toString('base64url');
}

/** Null: no key was used with this database yet. */
export async function readKeyCheck({ query }: Pick<Database, 'query'>): Promise<string | null> {
  const row = await query
    .selectFrom('installation_key')
    .select('check_value as checkValue')
    .executeTakeFirst();
  return row?.checkValue ?? null;
}

/** Unless there is one. */
export function insertKeyCheck({ query }: Pick<Database, 'query'>, key: Uint8Array): Compilable {
  return query
    .insertInto('installation_key')
    .values({ id: 1, check_value: keyCheckOf(key) })
    .onConflict((conflict) => conflict.column('id').doNothing());
}

/** In the place of another. */
export function putKeyCheck({ query }: Pick<Database, 'query'>, key: Uint8Array): Compilable {
  const check_value = keyCheckOf(key);
  return query
    .insertInto('installation_key')
    .values({ id: 1, check_value })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ check_value }));
}
