import { sql } from 'kysely';
import { ServiceError } from '../../core/service-error.js';
import type { AttemptKind, Limiter } from '../../service/limits/limiter.js';
import { StorageError } from '../../storage/storage-error.js';
import { auditEntry } from '../audit/audit-entry.js';
import { checkName as checkAccountName } from '../check-fields.js';
import { checkName } from '../names.js';
import { type AccountDependencies, insertAccount } from '../new-account.js';
import { checkEmail } from './email.js';
import { hasAdministrator } from './make-links.js';
import { makeUser } from './new-user.js';
import { checkNewPassword } from './passwords/check-password.js';
import type { PasswordHashes } from './passwords/hash-passwords.js';
import type { PasswordScorer } from './passwords/score-passwords.js';
import type { Visitor } from './sessions/session.js';
import type { Sessions } from './sessions/sessions.js';

interface SignUpRequest {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** What the new account is called. */
  readonly account: string;
}

/**
 * Makes a trial account with its owner, and lets them in. Throws `not_allowed` unless sign-up is open and the installation has
 * its administrator, `conflict` for a name or address that is taken, `weak_password`, `too_many_requests`.
 */
export type SignUp = (wanted: SignUpRequest, visitor: Visitor) => Promise<{ readonly token: string }>;

interface SignUpDeps extends AccountDependencies {
  readonly isOpen: boolean;
  readonly hashes: PasswordHashes;
  readonly scorer: PasswordScorer;
  readonly sessions: Pick<Sessions, 'start'>;
  readonly attempts: Pick<Limiter, 'begin'>;
}

/** A site makes some accounts at once, then one an hour. */
const bySite: AttemptKind = {
  kind: 'sign-up',
  free: 5,
  firstWaitMs: 60_000,
  maxWaitMs: 3_600_000,
  forgetMs: 86_400_000,
};

export function createSignUp(deps: SignUpDeps): SignUp {
  const { database, clock, isOpen, hashes, scorer, sessions, attempts } = deps;
  return async (wanted, visitor) => {
    if (!isOpen) {
      throw new ServiceError('not_allowed', 'sign-up is closed: ask for an invitation');
    }
    if (!(await hasAdministrator(database))) {
      throw new ServiceError('not_allowed', 'the service has no administrator yet: its operator comes first');
    }
    const email = checkEmail(wanted.email);
    const name = checkName('name', wanted.name);
    const account = checkAccountName('account', wanted.account);
    await checkNewPassword(scorer, wanted.password, { email: email.text, name });
    await attempts.begin({ of: bySite, name: visitor.site });
    const passwordHash = await hashes.make(wanted.password);
    const accountId = sql<number>`(select id from account where name = ${account})`;
    const { statements, id } = makeUser(database, {
      accountId,
      email,
      name,
      passwordHash,
      role: 'owner',
      isAdministrator: false,
      createdAt: clock(),
    });
    const { token, statement } = sessions.start(id, visitor);
    await database
      .write([
        insertAccount(deps, { name: account, plan: 'trial' }),
        ...statements,
        statement,
        auditEntry(database, {
          accountId,
          at: clock(),
          actor: { kind: 'user', id, name: email.text, address: visitor.address },
          auditEvent: { action: 'accounts.create', subject: { kind: 'account', id: null, name: account } },
        }),
      ])
      .catch((error: unknown) => {
        if (!(error instanceof StorageError && error.code === 'unique')) throw error;
        throw new ServiceError(
          'conflict',
          'an account of this name, or a user of this mail address, exists already',
          { cause: error },
        );
      });
    return { token };
  };
}
