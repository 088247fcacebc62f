import { sql } from 'kysely';
import type { Clock } from '../../clock.js';
import { ServiceError } from '../../errors/service-error.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { Audit } from '../audit/audit.js';
import type { Actor } from '../audit/deed.js';
import { toSmall } from '../names.js';
import type { PasswordHashes } from '../passwords/hash-passwords.js';
import { originOf } from '../people/code-limits.js';
import { toEmail } from '../people/email.js';
import type { SecondFactor } from '../people/second-factor.js';
import type { KnownDevices } from './known-devices.js';
import type { Visitor } from './session.js';
import type { Sessions } from './sessions.js';
import type { SignInLimits } from './sign-in-limits.js';

export interface SignInWanted {
  readonly email: string;
  readonly password: string;
  /** Of the authenticator, or of the list on paper. */
  readonly code?: string | undefined;
}

/**
 * Lets somebody in: the token of a new session, never of one that was there. The one that the browser had ends. Throws
 * `wrong_sign_in`, alike and after the same time whether or not somebody has the address; `code_needed` once the password
 * is right; `too_many_requests`.
 */
export type SignIn = (
  wanted: SignInWanted,
  visitor: Visitor,
  options: {
    readonly oldToken: string | undefined;
    /** Fires when nobody waits for the answer any more. */
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly token: string }>;

export interface SignInDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly hashes: PasswordHashes;
  readonly secondFactor: Pick<SecondFactor, 'accept'>;
  readonly sessions: Pick<Sessions, 'start' | 'endingToken'>;
  readonly devices: Pick<KnownDevices, 'recognize'>;
  readonly limits: SignInLimits;
  readonly audit: Audit;
  /** Told when a refusal could not be written down. */
  readonly onAuditFailure: (error: unknown) => void;
}

export function createSignIn(deps: SignInDeps): SignIn {
  const { database, clock, hashes, secondFactor, sessions, devices, limits, audit } = deps;
  const { query } = database;
  const readUser = (emailKey: string) =>
    query
      .selectFrom('web_user')
      .select([
        'id',
        'account_id as accountId',
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
    const emailKey = toEmail(email)?.key ?? toSmall(email);
    const user = await readUser(emailKey);
    const device = user ? devices.recognize(visitor.devices, user) : null;
    const isKnownSite = await isSignedInAt(emailKey, visitor.address);
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
    const giveBack = (error: unknown): never => {
      attempt.giveBack();
      throw error;
    };
    const isRight = await hashes
      .check(password, user?.passwordHash ?? null, { isKnown: device !== null })
      .catch(giveBack);
    if (!user || !isRight) throw refuse('password');
    const { id, sealedTotp } = user;
    if (sealedTotp !== null) {
      if (code === undefined) {
        attempt.giveBack();
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
    // NULL, which undoes the unit, where the password or the second factor was changed meanwhile.
    const stillTheirs = sql<number>`(
      select id from web_user where id = ${id} and password_hash = ${user.passwordHash}
      and coalesce(sealed_totp, '') = ${sealedTotp ?? ''}
    )`;
    const { token, statement } = sessions.start(stillTheirs, visitor);
    await database
      .write([
        ...(oldToken === undefined ? [] : [sessions.endingToken(oldToken)]),
        statement,
        query.updateTable('web_user').set({ signed_in_at: clock() }).where('id', '=', user.id),
        audit.entry(user.accountId, actor, {
          action: 'session.create',
          subject: { kind: 'user', id: user.id, name: user.email },
        }),
      ])
      .catch((error: unknown) => {
        if (!(error instanceof StorageError && error.code === 'not-null')) throw error;
        throw refuse('password');
      });
    attempt.succeed();
    return { token };
  };
}
