import type { Generated } from 'kysely';
import type { CreatorColumns } from './accounts.js';

/** A user of the web account (`user` is a word of SQL). */
export interface WebUserTable {
  id: Generated<number>;
  account_id: number;
  /** By which the calls of this person's pages count; no text is this key. */
  key_id: number;
  /** As it was given. */
  email: string;
  /** In small letters of compatible form, unique in the installation. */
  email_key: string;
  name: string;
  /** Argon2id, as a PHC string. */
  password_hash: string;
  role: Role;
  is_administrator: Generated<number>;
  /** The secret of the second factor, encrypted with the key of the installation; null: there is none. */
  sealed_totp: Generated<string | null>;
  /** One that was asked for and is not in force yet. */
  sealed_next_totp: Generated<string | null>;
  /** The last step of which a code was taken: none is good twice. */
  totp_step: Generated<number>;
  created_at: number;
  signed_in_at: Generated<number | null>;
  /** Name and mail address in small letters of compatible form: what a search looks through. */
  search_text: Generated<string>;
}
/** What a person may do in the account. */
export type Role =
  /** All of it. */
  | 'owner'
  /** All but looking after its people and reading the audit log. */
  | 'member'
  /** Reading. */
  | 'reader';

/** Codes in the place of the second factor; one that was used is gone. */
export interface WebRecoveryCodeTable {
  user_id: number;
  /** SHA-256, hexadecimal. */
  hash: string;
}

/** Wrong codes of a user's second factor, counted apart by where they came from. */
export interface WebCodeCounterTable {
  user_id: number;
  /** `unknown`, `session`, `recovery`, or `device ID`. */
  name: string;
  /** At `last_at`; one a day is forgiven. */
  failures: number;
  /** Which the user was not shown yet. */
  unseen: number;
  last_at: number;
  /** No code counts before. */
  next_at: number;
}

export interface WebSessionTable {
  id: Generated<number>;
  user_id: number;
  /** SHA-256 of the token, hexadecimal. */
  hash: string;
  created_at: number;
  /** To within some minutes. */
  last_used_at: number;
  address: string;
  user_agent: string;
  /** 1: it began before cookies had the prefix `__Host-`, and goes on under the plain name. */
  allows_plain_cookie: Generated<number>;
}

/** Keys that a session's pages predict with; they end with it. */
export interface WebPageKeyTable {
  /** SHA-256, hexadecimal. */
  hash: string;
  session_id: number;
  expires_at: number;
}

/** A link that signs a user in, once. */
export interface WebLinkTable extends CreatorColumns {
  id: Generated<number>;
  /** SHA-256 of the token, hexadecimal. */
  hash: string;
  kind: LinkKind;
  /** Of an invitation: where to. */
  account_id: number | null;
  /** Of a reset: whose password. */
  user_id: number | null;
  email: string | null;
  role: Role | null;
  created_at: number;
  /** Null: until it is used. */
  expires_at: number | null;
  used_at: Generated<number | null>;
}
export type LinkKind = 'first' | 'invitation' | 'reset';

/** What was changed, by whom. */
export interface AuditEntryTable {
  id: Generated<number>;
  account_id: number;
  at: number;
  who_kind: ActorKind;
  /** Of the user or key; null for the operator. */
  who_id: number | null;
  /** As it was called then. */
  who_name: string;
  action: string;
  subject_kind: string | null;
  subject_id: string | null;
  subject_name: string | null;
  /** JSON, without secrets. */
  details: string | null;
  address: string | null;
  /** `begun`: written before the change, and nobody came to say how it ended. */
  state: Generated<AuditState>;
}
export type AuditState = 'begun' | 'done';
export type ActorKind = 'user' | 'key' | 'operator';
