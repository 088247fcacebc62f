import { sql } from 'kysely';
import type { Clock } from '../../core/clock.js';
import { createLimiter } from '../../service/limits/limiter.js';
import type { Database } from '../../storage/database.js';
import { withKeysHeld } from '../../storage/secrets/key-fence.js';
import type { KeyRing } from '../../storage/secrets/key-ring.js';
import { createSecretBox } from '../../storage/secrets/secret-box.js';
import { type Audit, createAudit } from '../audit/audit.js';
import { type AccountDeletions, createAccountDeletions } from '../deletion/account-deletions.js';
import { type Administration, createAdministration } from './administration.js';
import { createCodeLimits } from './code-limits.js';
import { createInvitations, type Invitations } from './invitations.js';
import { createLinks, type FoundLink } from './links.js';
import { createMakeLinks, type MakeLinks } from './make-links.js';
import { createMembers, type Members } from './members.js';
import { createOwnUser, type OwnUser } from './own-user.js';
import { type PasswordOwner, rateNewPassword } from './passwords/check-password.js';
import { createPasswordHashes, usualHashLimits } from './passwords/hash-passwords.js';
import type { PasswordStrength } from './passwords/password-strength.js';
import { createPasswordScorer } from './passwords/score-passwords.js';
import { createSecondFactor, type SecondFactor } from './second-factor.js';
import { createKnownDevices, type KnownDevices } from './sessions/known-devices.js';
import { createPageKeys, type PageKeys } from './sessions/page-keys.js';
import { createSessions, type Sessions } from './sessions/sessions.js';
import { createSignIn, type SignIn } from './sessions/sign-in.js';
import { createSignInLimits } from './sessions/sign-in-limits.js';
import { createSignUp, type SignUp } from './sign-up.js';
import { createUseLink, type UseLink } from './use-link.js';

/** What a page must know before anybody is signed in. */
export interface SignInState {
  readonly openSignUp: boolean;
  /** Without one, the link that the service printed is the way in. */
  readonly hasUsers: boolean;
}

/** Everything about the people who sign in to the web account. */
export interface Users {
  readonly state: () => Promise<SignInState>;
  readonly signIn: SignIn;
  readonly signUp: SignUp;
  readonly sessions: Sessions;
  readonly devices: KnownDevices;
  readonly pageKeys: PageKeys;
  readonly findLink: (token: string) => Promise<FoundLink>;
  readonly useLink: UseLink;
  readonly makeLinks: MakeLinks;
  readonly invitations: Invitations;
  readonly members: Members;
  readonly ownUser: OwnUser;
  readonly secondFactor: Omit<SecondFactor, 'accept'>;
  readonly ratePassword: (password: string, owner: PasswordOwner) => Promise<PasswordStrength>;
  readonly audit: Audit;
  readonly administration: Administration;
  readonly accountDeletions: AccountDeletions;
  /** Nobody waits for a turn to sign in any more. */
  stopWaiting(): void;
  close(): Promise<void>;
}

const dayMs = 86_400_000;

interface UsersDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** With which second factors are sealed. */
  readonly installationKeys: KeyRing;
  readonly settings: {
    readonly openSignUp: boolean;
    readonly sessionIdleDays: number;
    readonly sessionMaxDays: number;
    readonly trialCalls: number;
    readonly resultDays: number;
    readonly accountDeletionDelayHours: number;
  };
  /** Called for each key that was revoked with its creator. */
  readonly onKeyRevoked: (keyId: number) => void;
  /** Called when a refused sign-in could not be recorded. */
  readonly onAuditFailure: (error: unknown) => void;
}

export async function openUsers(deps: UsersDeps): Promise<Users> {
  const { database, clock, installationKeys, settings, onAuditFailure } = deps;
  const { trialCalls, resultDays } = settings;
  const secretBox = createSecretBox(installationKeys);
  const hashes = await createPasswordHashes(usualHashLimits);
  const scorer = createPasswordScorer();
  const audit = createAudit({ database, clock });
  const life = { idleMs: settings.sessionIdleDays * dayMs, maxMs: settings.sessionMaxDays * dayMs };
  const base = { database, clock, audit };
  const sessions = createSessions({ ...base, life });
  const links = createLinks(base);
  const codes = createCodeLimits(base);
  const attempts = createLimiter(base);
  const secondFactor = createSecondFactor({
    ...base,
    codes,
    attempts,
    secretBox,
    sealing: withKeysHeld(database, installationKeys),
  });
  const devices = createKnownDevices({ ...base, installationKeys });
  const limits = createSignInLimits({ ...base, attempts });
  const ways = { ...base, hashes, scorer, sessions, attempts };
  return {
    state: () => readSignInState(database, settings.openSignUp),
    signIn: createSignIn({ ...ways, secondFactor, devices, limits, onAuditFailure }),
    signUp: createSignUp({ ...ways, trialCalls, resultDays, isOpen: settings.openSignUp }),
    sessions,
    devices,
    pageKeys: createPageKeys(base),
    findLink: (token) => links.find(token),
    useLink: createUseLink({ ...ways, links, devices, secondFactor, codes }),
    makeLinks: createMakeLinks({ ...base, links }),
    invitations: createInvitations({ ...base, links }),
    members: createMembers({ ...base, onKeyRevoked: deps.onKeyRevoked }),
    ownUser: createOwnUser(ways),
    secondFactor,
    ratePassword: (password, owner) => rateNewPassword(scorer, password, owner),
    audit,
    administration: createAdministration({ ...base, trialCalls, resultDays }),
    accountDeletions: createAccountDeletions({
      ...base,
      delayMs: settings.accountDeletionDelayHours * 3_600_000,
    }),
    stopWaiting: () => limits.close(),
    close: () => scorer.close(),
  };
}

async function readSignInState(
  { query }: Pick<Database, 'query'>,
  openSignUp: boolean,
): Promise<SignInState> {
  const anybody = await query.selectFrom('web_user').select(sql`1`.as('one')).limit(1).executeTakeFirst();
  return { openSignUp, hasUsers: anybody !== undefined };
}
