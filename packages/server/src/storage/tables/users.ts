import { sql } from 'kysely';
import { creatorColumns } from './creator.js';
import { id, number, oneOf, table, text } from './define-table.js';

const usersOf = (accountId: number) => sql`(select id from web_user where account_id = ${accountId})`;
const ofUsers = (accountId: number) => sql<boolean>`user_id in ${usersOf(accountId)}`;
const ofAccountOrUsers = (accountId: number) =>
  sql<boolean>`(account_id = ${accountId} or user_id in ${usersOf(accountId)})`;
const ofSessions = (accountId: number) =>
  sql<boolean>`session_id in (select id from web_session where user_id in ${usersOf(accountId)})`;

/** A user of the web account (`user` is a word of SQL). */
export const webUser = table(
  {
    id: id(),
    account_id: number().references('account', 'cascade'),
    /** By which the calls of this person's pages count; no text is this key. */
    key_id: number().unique(),
    /** As it was given. */
    email: text(),
    /** In small letters of compatible form, unique in the installation. */
    email_key: text().unique(),
    name: text(),
    /** Argon2id, as a PHC string. */
    password_hash: text(),
    role: oneOf<Role>('owner', 'member', 'reader'),
    is_administrator: number().check('in (0, 1)').default(0),
    /** The secret of the second factor, encrypted with the key of the installation; null: there is none. */
    sealed_totp: text().orNull(),
    /** One that was asked for and is not in force yet. */
    sealed_next_totp: text().orNull(),
    /** The last step of which a code was taken: none is good twice. */
    totp_step: number().default(0),
    created_at: number(),
    signed_in_at: number().orNull(),
    /** Name and mail address in small letters of compatible form: what a search looks through. */
    search_text: text().default(''),
  },
  { indexes: { account: ['account_id'] }, deleted: {} },
);
/** What a person may do in the account. */
export type Role =
  /** All of it. */
  | 'owner'
  /** All but looking after its people and reading the audit log. */
  | 'member'
  /** Reading. */
  | 'reader';

/** Codes in the place of the second factor; one that was used is gone. */
export const webRecoveryCode = table(
  {
    user_id: number().references('web_user', 'cascade'),
    /** SHA-256, hexadecimal. */
    hash: text(),
  },
  { key: ['user_id', 'hash'], deleted: { condition: ofUsers } },
);

/** Wrong codes of a user's second factor, counted apart by where they came from. */
export const webCodeCounter = table(
  {
    user_id: number().references('web_user', 'cascade'),
    /** `unknown`, `session`, `recovery`, or `device ID`. */
    name: text(),
    /** At `last_at`; one a day is forgiven. */
    failures: number(),
    /** Which the user was not shown yet. */
    unseen: number(),
    last_at: number(),
    /** No code counts before. */
    next_at: number(),
  },
  { key: ['user_id', 'name'], indexes: { age: ['last_at'] }, deleted: { condition: ofUsers } },
);

export const webSession = table(
  {
    id: id(),
    user_id: number().references('web_user', 'cascade'),
    /** SHA-256 of the token, hexadecimal. */
    hash: text().unique(),
    created_at: number(),
    /** To within some minutes. */
    last_used_at: number(),
    address: text(),
    user_agent: text(),
    /** 1: it began before cookies had the prefix `__Host-`, and goes on under the plain name. */
    allows_plain_cookie: number().check('in (0, 1)').default(0),
  },
  { indexes: { age: ['last_used_at'], user: ['user_id', 'address'] }, deleted: { condition: ofUsers } },
);

/** Keys that a session's pages predict with; they end with it. */
export const webPageKey = table(
  {
    /** SHA-256, hexadecimal. */
    hash: text().primaryKey(),
    session_id: number().references('web_session', 'cascade'),
    expires_at: number(),
  },
  { indexes: { session: ['session_id'] }, deleted: { condition: ofSessions } },
);

/** A link that signs a user in, once. */
export const webLink = table(
  {
    id: id(),
    /** SHA-256 of the token, hexadecimal. */
    hash: text().unique(),
    kind: oneOf<LinkKind>('first', 'invitation', 'reset'),
    /** Of an invitation: where to. */
    account_id: number().orNull().references('account', 'cascade'),
    /** Of a reset: whose password. */
    user_id: number().orNull().references('web_user', 'cascade'),
    email: text().orNull(),
    role: text<Role>().orNull(),
    created_at: number(),
    /** Null: until it is used. */
    expires_at: number().orNull(),
    used_at: number().orNull(),
    ...creatorColumns,
  },
  { indexes: { account: ['account_id'], user: ['user_id'] }, deleted: { condition: ofAccountOrUsers } },
);
export type LinkKind = 'first' | 'invitation' | 'reset';

/** What was changed, by whom. */
export const auditEntry = table(
  {
    id: id(),
    account_id: number().references('account', 'cascade'),
    at: number(),
    who_kind: oneOf<ActorKind>('user', 'key', 'operator'),
    /** Of the user or key; null for the operator. */
    who_id: number().orNull(),
    /** As it was called then. */
    who_name: text(),
    action: text(),
    subject_kind: text().orNull(),
    subject_id: text().orNull(),
    subject_name: text().orNull(),
    /** JSON, without secrets. */
    details: text().orNull(),
    address: text().orNull(),
    /** `begun`: written before the change, and nobody came to say how it ended. */
    state: oneOf<AuditState>('begun', 'done').default('done'),
  },
  { indexes: { account: ['account_id', 'id'], age: ['at'] }, deleted: { order: ['account_id', 'id'] } },
);
export type AuditState = 'begun' | 'done';
export type ActorKind = 'user' | 'key' | 'operator';
