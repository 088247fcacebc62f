import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';
import type { AttemptKind, Limiter } from '../../service/limits/limiter.js';
import type { Database } from '../../storage/database.js';
import type { Audit } from '../audit/audit.js';
import { checkName } from '../names.js';
import type { AuthenticatedUser } from './authenticated-user.js';
import { checkEmail } from './email.js';
import { rethrowTaken } from './new-user.js';
import { checkNewPassword } from './passwords/check-password.js';
import type { PasswordHashes } from './passwords/hash-passwords.js';
import type { PasswordScorer } from './passwords/score-passwords.js';
import type { Sessions } from './sessions/sessions.js';
import { searchTextOf } from './user-search.js';
import { type CheckedBefore, writeAsUser } from './write-as-user.js';

/** What a person changes of themselves. What opens more than their session asks for the password again. */
export interface OwnUser {
  /**
   * Answers what was checked, for the unit that it is checked for. Throws `wrong_sign_in` for a wrong password, and
   * `too_many_requests` when it was wrong too often.
   */
  checkPassword(
    authenticated: AuthenticatedUser,
    password: string,
  ): Promise<Required<Pick<CheckedBefore, 'passwordHash'>>>;
  /**
   * Another address wants the password. Throws `conflict` for an address that another user has, `too_many_requests` after many
   * addresses, and as `changePassword` what `writeAsUser` throws.
   */
  change(
    authenticated: AuthenticatedUser,
    change: {
      readonly name?: string | undefined;
      readonly email?: string | undefined;
      readonly password?: string | undefined;
    },
  ): Promise<void>;
  /** Ends all other sessions. Throws `weak_password` too. */
  changePassword(
    authenticated: AuthenticatedUser,
    change: { readonly current: string; readonly password: string },
  ): Promise<void>;
}

interface OwnUserDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly hashes: PasswordHashes;
  readonly scorer: PasswordScorer;
  readonly sessions: Pick<Sessions, 'endingOthers'>;
  readonly attempts: Pick<Limiter, 'begin' | 'forget'>;
  readonly audit: Audit;
}

/** An attacker at an open page must not guess without limit. */
const passwords: AttemptKind = {
  kind: 'own password',
  free: 5,
  firstWaitMs: 1000,
  maxWaitMs: 300_000,
  forgetMs: 3_600_000,
};
/** The error reveals whether an address is taken: one user cannot probe many. */
const addresses: AttemptKind = {
  kind: 'own address',
  free: 10,
  firstWaitMs: 60_000,
  maxWaitMs: 3_600_000,
  forgetMs: 86_400_000,
};

export function createOwnUser(deps: OwnUserDeps): OwnUser {
  const { database, hashes, scorer, sessions, attempts, audit } = deps;
  const { query } = database;

  const checkPassword: OwnUser['checkPassword'] = async ({ user, accountId }, password) => {
    const counter = { of: passwords, name: String(user.id) };
    await attempts.begin(counter);
    const row = await query
      .selectFrom('web_user')
      .select('password_hash as hash')
      .where('id', '=', user.id)
      .executeTakeFirst();
    if (!row || !(await hashes.check(password, row.hash, { accountId }))) {
      throw new ServiceError('wrong_sign_in', 'the password is not the one in force');
    }
    await attempts.forget(counter);
    return { passwordHash: row.hash };
  };

  return {
    checkPassword,

    async change(authenticated, { name, email, password }) {
      const { user, accountId, actor } = authenticated;
      const newName = name === undefined ? undefined : checkName('name', name);
      const newEmail = email === undefined ? undefined : checkEmail(email);
      if (newEmail && password === undefined) {
        throw new ServiceError('wrong_parameters', 'password is missing: another address wants it');
      }
      const checked = newEmail && password !== undefined ? await checkPassword(authenticated, password) : {};
      if (newName === undefined && newEmail === undefined) return;
      if (newEmail) await attempts.begin({ of: addresses, name: String(user.id) });
      await writeAsUser(database, authenticated, checked, [
        query
          .updateTable('web_user')
          .set({
            ...(newName === undefined ? {} : { name: newName }),
            ...(newEmail ? { email: newEmail.text, email_key: newEmail.key } : {}),
            search_text: searchTextOf(newName ?? user.name, newEmail ?? checkEmail(user.email)),
          })
          .where('id', '=', user.id),
        audit.entry(accountId, actor, {
          action: 'user.change',
          subject: { kind: 'user', id: user.id, name: newEmail?.text ?? user.email },
          details: {
            ...(newName === undefined ? {} : { name: newName }),
            ...(newEmail ? { email: newEmail.text, before: user.email } : {}),
          },
        }),
      ]).catch(rethrowTaken);
    },

    async changePassword(authenticated, { current, password }) {
      const { user, accountId, sessionId, actor } = authenticated;
      const checked = await checkPassword(authenticated, current);
      await checkNewPassword(scorer, password, { email: user.email, name: user.name, accountId });
      const passwordHash = await hashes.make(password, { accountId });
      await writeAsUser(database, authenticated, checked, [
        query
          .updateTable('web_user')
          // Whoever had the old one may have prepared a second factor of their own.
          .set({ password_hash: passwordHash, sealed_next_totp: null })
          .where('id', '=', user.id),
        sessions.endingOthers(user.id, sessionId),
        // Another person may have requested it.
        query.deleteFrom('web_link').where('user_id', '=', user.id).where('used_at', 'is', null),
        audit.entry(accountId, actor, {
          action: 'user.password',
          subject: { kind: 'user', id: user.id, name: user.email },
        }),
      ]);
    },
  };
}
