import type { Compilable } from 'kysely';
import type { Database } from '../database.js';
import { deriveKey } from './derive-key.js';

/** What the database keeps of the key of its installation: enough to know it again, and nothing to find it by. */
export function keyCheckOf(key: Uint8Array): string {
  return deriveKey(key, 'key check').toString('base64url');
}

/** What the database knows of its keys, by their check values. */
export interface KeyState {
  /** Of the key that seals. */
  readonly current: string;
  /** Of the key before, with which values may be sealed still; null: there are none. */
  readonly previous: string | null;
  /** Whether nothing more may be sealed with the key before. */
  readonly isResealing: boolean;
  /** Of the last key that was replaced: nothing is sealed with it any more. */
  readonly retired: string | null;
}

/** Null: no key was used with this database yet. */
export async function readKeyState({ query }: Pick<Database, 'query'>): Promise<KeyState | null> {
  const row = await query.selectFrom('installation_key').selectAll().executeTakeFirst();
  if (!row) return null;
  return {
    current: row.check_value,
    previous: row.previous_check,
    isResealing: row.is_resealing === 1,
    retired: row.retired_check,
  };
}

/** Unless there is one. */
export function insertKeyCheck({ query }: Pick<Database, 'query'>, key: Uint8Array): Compilable {
  return query
    .insertInto('installation_key')
    .values({ id: 1, check_value: keyCheckOf(key) })
    .onConflict((conflict) => conflict.column('id').doNothing());
}

/** In the place of all others. */
export function putKeyCheck({ query }: Pick<Database, 'query'>, key: Uint8Array): Compilable {
  const only = { check_value: keyCheckOf(key), previous_check: null, is_resealing: 0, retired_check: null };
  return query
    .insertInto('installation_key')
    .values({ id: 1, ...only })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(only));
}
