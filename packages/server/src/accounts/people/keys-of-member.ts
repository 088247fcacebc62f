import type { Database } from '../../storage/database.js';
import { type OwnKey, ownKeyColumns } from '../own-key.js';

/** A key with the drop that it opens. */
export interface MemberKey extends OwnKey {
  readonly drop: { readonly id: number; readonly name: string } | null;
}

/** The keys that somebody created, and those that their keys created, unless they are revoked; the oldest first. */
export async function listKeysOfMember(
  { query }: Pick<Database, 'query'>,
  accountId: number,
  userId: number,
): Promise<readonly MemberKey[]> {
  const keys = await query
    .selectFrom('api_key')
    .select(ownKeyColumns)
    .where('account_id', '=', accountId)
    .where('creator_user_id', '=', userId)
    .where('is_web', '=', 0)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute();
  const drops = await query
    .selectFrom('drop_box')
    .select(['id', 'name', 'key_id as keyId'])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .execute();
  const dropOf = new Map(drops.map(({ keyId, ...drop }) => [keyId, drop]));
  return keys.map((key) => ({ ...key, drop: dropOf.get(key.id) ?? null }));
}
