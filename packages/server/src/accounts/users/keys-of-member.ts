import type { Database } from '../../storage/database.js';
import { isOfUnknownCreator } from '../creator.js';
import { type OwnKey, ownKeyColumns } from '../own-key.js';

/** A key with the drop that it opens. */
export interface MemberKey extends OwnKey {
  readonly drop: { readonly id: number; readonly name: string } | null;
}

export interface KeysOfMember {
  /** That they created, and those that their keys created. */
  readonly created: readonly MemberKey[];
  /** Of nobody known: they may be theirs too. */
  readonly unknown: readonly MemberKey[];
}

/** The keys to be asked about when a user leaves, unless they are revoked; the oldest first. */
export async function listKeysOfMember(
  { query }: Pick<Database, 'query'>,
  accountId: number,
  userId: number,
): Promise<KeysOfMember> {
  const keys = query
    .selectFrom('api_key')
    .select(ownKeyColumns)
    .where('account_id', '=', accountId)
    .where('is_web', '=', 0)
    .where('revoked_at', 'is', null)
    .orderBy('id');
  const drops = await query
    .selectFrom('drop_box')
    .select(['id', 'name', 'key_id as keyId'])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .execute();
  const dropOf = new Map(drops.map(({ keyId, ...drop }) => [keyId, drop]));
  const withDrop = (key: OwnKey): MemberKey => ({ ...key, drop: dropOf.get(key.id) ?? null });
  const created = await keys.where('creator_user_id', '=', userId).execute();
  const unknown = await keys.where(isOfUnknownCreator()).execute();
  return { created: created.map(withDrop), unknown: unknown.map(withDrop) };
}
