import { sql } from 'kysely';
import type { Clock } from '../../../core/clock.js';
import { ServiceError } from '../../../core/service-error.js';
import type { Database } from '../../../storage/database.js';
import { StorageError } from '../../../storage/storage-error.js';
import type { Audit } from '../../audit/audit.js';
import type { Actor } from '../../audit/audit-event.js';
import { caseFold } from '../../names.js';
import { originOf } from '../code-limits.js';
import { toEmail } from '../email.js';
import type { PasswordHashes } from '../passwords/hash-passwords.js';
import type { SecondFactor } from '../second-factor.js';
import type { KnownDevices } from './known-devices.js';
import type { Visitor } from './session.js';
import type { Sessions } from './sessions.js';
import type { SignInLimits } from './sign-in-limits.js';

interface SignInRequest {
  readonly email: string;
  readonly password: string;
  /** Of the authenticator, or of the list on paper. */
  readonly code?: string | undefined;
}

/**
 * Signs a user in: the token of a new session, never of one that was there. The one that the browser had ends. Throws
 * `wrong_sign_in`, alike and after the same time whether or not a user has the address; `code_needed` once the password
 * is right; `not_allowed` where the account is closed; `too_many_requests`.
 */
export type SignIn = (
  wanted: SignInRequest,
  visitor: Visitor,
  options: {
    readonly oldToken: string | undefined;
    /** Fires when nobody waits for the answer any more. */
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly token: string }>;

interface SignInDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly hashes: PasswordHashes;
  readonly secondFactor: Pick<SecondFactor, 'accept'>;
  readonly sessions: Pick<Sessions, 'start' | 'endingToken'>;
  readonly devices: Pick<KnownDevices, 'recognize'>;
  readonly limits: SignInLimits;
  readonly audit: Audit;
  /** Called when a refusal could not be recorded. */
  readonly onAuditFailure: (error: unknown) => void;
}

export function createSignIn(deps: SignInDeps): SignIn {
  const { database, clock, hashes, secondFactor, sessions, devices, limits, audit } = deps;
  const { query } = database;
  const readUser = (emailKey: string) =>
    query
      .selectFrom('web_user')
      .innerJoin('account', 'account.id', 'web_user.account_id')
      .select([
        'web_user.id',
        'account_id as accountId',
        'account.closed_at as closedAt',
        'email',
        'password_hash as passwordHash',
        'sealed_totp as sealedTotp',
      ])
      .where('email_key', '=', emailKey)
      .executeTakeFirst();
  const isSignedInAt = async (emailKey: string, address: string) => {
    const found = await query
      .selectFrom('web_session')
      .innerJoin('web_user', 'web_user.id', 'web_session.user_id')
      .select('web_session.id')
      .where('web_user.email_key', '=', emailKey)
      .where('web_session.address', '=', address)
      .executeTakeFirst();
    return found !== undefined;
  };

  return async ({ email, password, code }, visitor, { oldToken, signal }) => {
    const known = toEmail(email);
    const emailKey = known?.key ?? caseFold(email);
    // What is no mail address is nobody's, and may be a text that no database takes.
    const user = known ? await readUser(known.key) : undefined;
    const device = user ? devices.recognize(visitor.devices, user) : null;
    const isKnownSite = known !== null && (await isSignedInAt(known.key, visitor.address));
    const attempt = await limits.begin({ emailKey, site: visitor.site, device, isKnownSite, signal });
    const actor: Actor = {
      kind: 'user',
      id: user?.id ?? null,
      name: user?.email ?? '',
      address: visitor.address,
    };
    const refuse = (what: string): ServiceError => {
      if (user) {
        // Not waited for: the answer takes as long as for an address that nobody has.
        audit
          .write(user.accountId, actor, {
            action: 'session.refuse',
            subject: { kind: 'user', id: user.id, name: user.email },
            details: { wrong: what },
          })
          .catch(deps.onAuditFailure);
      }
      return new ServiceError('wrong_sign_in', 'the mail address, the password or the code is wrong');
    };
    const giveBack = async (error: unknown): Promise<never> => {
      await attempt.giveBack();
      throw error;
    };
    const isRight = await hashes
      .check(password, user?.passwordHash ?? null, {
        accountId: device === null ? undefined : user?.accountId,
      })
      .catch(giveBack);
    if (!user || !isRight) throw refuse('password');
    const { id, sealedTotp } = user;
    if (sealedTotp !== null) {
      if (code === undefined) {
        await attempt.giveBack();
        throw new ServiceError(
          'code_needed',
          'the password is right; give the code of the authenticator too',
        );
      }
      const isAccepted = await secondFactor
        .accept({ id, sealedTotp }, code, originOf(device))
        .catch(giveBack);
      if (!isAccepted) throw refuse('code');
    }
    if (user.closedAt !== null) {
      await attempt.giveBack();
      throw closedAccount();
    }
    // NULL, which undoes the unit, where who it was is gone or the account was closed meanwhile.
    const stillThere = sql<number>`(
      select id from web_user where id = ${id}
      and exists (select 1 from account where account.id = web_user.account_id and closed_at is null)
    )`;
    const { token, statement } = sessions.start(stillThere, visitor);
    await database
      .write([
        // First: who sets another password comes wholly before this, and it is refused, or wholly after, and ends the session.
        query
          .updateTable('web_user')
          .set({
            signed_in_at: clock(),
            // NULL likewise, where the password or the second factor was changed meanwhile.
            password_hash: sql<string>`case
              when password_hash = ${user.passwordHash} and coalesce(sealed_totp, '') = ${sealedTotp ?? ''}
              then password_hash end`,
          })
          .where('id', '=', id),
        ...(oldToken === undefined ? [] : [sessions.endingToken(oldToken)]),
        statement,
        ...attempt.succeeding,
        audit.entry(user.accountId, actor, {
          action: 'session.create',
          subject: { kind: 'user', id: user.id, name: user.email },
        }),
      ])
      .catch((error: unknown) => {
        if (!(error instanceof StorageError && error.code === 'not-null')) throw error;
        throw refuse('password');
      });
    attempt.succeeded();
    return { token };
  };
}

/** Said to who knows password and code alone. */
function closedAccount(): ServiceError {
  return new ServiceError(
    'not_allowed',
    'the account is closed and about to be deleted; the administrator of the service can cancel that until the deletion begins',
  );
}
