import { number, oneOf } from './define-table.js';

/** Who created a key or a link; all null: a user or key of an account that was deleted. */
export const creatorColumns = {
  creator_kind: oneOf<CreatorKind>('user', 'key', 'operator').orNull(),
  /** The user, also of what one of their keys created; they may have left. */
  creator_user_id: number().orNull(),
  /** Of what was created by a key. */
  creator_key_id: number().orNull(),
};
export type CreatorKind = 'user' | 'key' | 'operator';
