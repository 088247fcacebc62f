import type { ApiKey } from './account.js';

/** What a person may do: everything; everything but looking after people and reading the audit log; read. */
export type Role = 'owner' | 'member' | 'reader';

/** Who is signed in. Times are UTC, such as `2026-01-31T12:00:00.000Z`. */
export interface Session {
  readonly user: {
    readonly id: number;
    readonly email: string;
    readonly name: string;
    readonly role: Role;
    readonly is_administrator: boolean;
    /** Whether signing in wants a code of an authenticator too. */
    readonly has_totp: boolean;
  };
  readonly account: { readonly id: number; readonly name: string; readonly plan: 'paid' | 'trial' };
  /** What every request that changes something sends. */
  readonly csrf_token: string;
  readonly created_at: string;
  /** Unless it is used before. */
  readonly expires_at: string;
  /** Codes of the second factor that somebody with the password got wrong, until they are dismissed; null: none. */
  readonly wrong_codes: { readonly count: number; readonly last_at: string } | null;
}

export interface SignInState {
  /** Whether anybody may make an account. */
  readonly open_sign_up: boolean;
  /** False: the link that the service printed is the way in. */
  readonly has_users: boolean;
}

export interface ListedSession {
  readonly id: number;
  readonly created_at: string;
  /** To within some minutes. */
  readonly last_used_at: string;
  readonly address: string;
  readonly user_agent: string;
  readonly is_current: boolean;
}

/** A key for the predict paths, shown here and never again; it ends with the session. */
export interface PageKey {
  readonly key: string;
  readonly expires_at: string;
}

/** What a link is for. */
export interface Link {
  readonly kind: 'first' | 'invitation' | 'reset';
  readonly account: string | null;
  /** Null: whoever uses it says which. */
  readonly email: string | null;
  readonly role: Role | null;
  readonly expires_at: string | null;
  /** Whether using it asks for a code of the second factor too. */
  readonly needs_code: boolean;
}

export interface PasswordRating {
  /** 0 to 4; from 3 on it is taken. */
  readonly score: number;
  readonly warning: string | null;
  readonly suggestions: readonly string[];
}

/** Shown here and never again. */
export interface TotpSecret {
  /** In base 32. */
  readonly secret: string;
  /** The same for a square that authenticators read. */
  readonly uri: string;
}

export interface RecoveryCodes {
  /** Each good once in the place of the authenticator: shown here and never again. */
  readonly recovery_codes: readonly string[];
}

/** Somebody of the account. */
export interface Member {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly is_administrator: boolean;
  readonly has_totp: boolean;
  readonly created_at: string;
  readonly signed_in_at: string | null;
}

/** A key that somebody created and that is not revoked. */
export interface MemberKey extends ApiKey {
  /** That it opens. */
  readonly drop: { readonly id: number; readonly name: string } | null;
}

/** The keys to be asked about when somebody leaves, the oldest first. */
export interface MemberKeys {
  /** That they created, themselves or by such a key. */
  readonly data: readonly MemberKey[];
  /** That end with no user: of unknown creators, and of users who have left. */
  readonly unknown: readonly MemberKey[];
}

export interface NamedKey {
  readonly id: number;
  readonly prefix: string;
  readonly name: string;
}

/** What became of the keys, invitations and links that somebody created. */
export interface AccessReceipt {
  readonly keys: { readonly revoked: readonly NamedKey[]; readonly kept: readonly NamedKey[] };
  readonly drop_keys: { readonly revoked: readonly NamedKey[]; readonly kept: readonly NamedKey[] };
  readonly unknown_keys: { readonly revoked: readonly NamedKey[]; readonly kept: readonly NamedKey[] };
  readonly invitations_withdrawn: number;
  /** By which others would have set another password. */
  readonly links_withdrawn: number;
}

export interface ChangedMember extends Member {
  readonly receipt: AccessReceipt;
}

/** An invitation that was not used yet. */
export interface Invitation {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
  readonly created_at: string;
  readonly expires_at: string;
}

export interface NewInvitation extends Invitation {
  /** For whoever is invited: shown here and never again. */
  readonly link: string;
}

/** What was changed, by whom. */
export interface AuditEntry {
  readonly id: number;
  readonly at: string;
  readonly who: {
    readonly kind: 'user' | 'key' | 'operator';
    readonly id: number | null;
    /** The mail address, or the name of the key, as it was then. */
    readonly name: string;
  };
  /** Such as `keys.create`. */
  readonly action: string;
  readonly subject: {
    readonly kind: string;
    readonly id: string | null;
    readonly name: string | null;
  } | null;
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly address: string | null;
  /** `begun`: it is under way, or how it ended was not written down. */
  readonly state: 'begun' | 'done';
}
