import { type Compilable, sql } from 'kysely';
import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';
import type { AttemptKind, Limiter } from '../../service/limits/limiter.js';
import type { Database } from '../../storage/database.js';
import { sealContexts } from '../../storage/secrets/sealed-values.js';
import type { SecretBox } from '../../storage/secrets/secret-box.js';
import type { Audit } from '../audit/audit.js';
import type { AuditAction } from '../audit/audit-actions.js';
import type { AuthenticatedUser } from './authenticated-user.js';
import type { CodeLimits, CodeOrigin, WrongCodes } from './code-limits.js';
import { isRecoveryCode, renewRecoveryCodes, useRecoveryCode } from './recovery-codes.js';
import { makeTotpSecret, stepOfCode, totpUri } from './totp.js';
import { type CheckedBefore, writeAsUser } from './write-as-user.js';

/** A person's second factor: codes of an authenticator, or of a list on paper. */
export interface SecondFactor {
  /**
   * A secret that is not in force yet, shown here and never again; the password was checked. Throws `conflict` where one is in force.
   * This and all that a user does here throws `not_signed_in` or `conflict` where their session has ended meanwhile, or what was
   * checked was changed.
   */
  prepare(
    authenticated: AuthenticatedUser,
    checked: CheckedBefore,
  ): Promise<{ readonly secret: string; readonly uri: string }>;
  /**
   * Puts the prepared secret in force by a code of it. Throws `wrong_parameters` for another, `conflict` without one, and
   * `too_many_requests` after too many wrong ones.
   */
  confirm(
    authenticated: AuthenticatedUser,
    code: string,
  ): Promise<{ readonly recoveryCodes: readonly string[] }>;
  /**
   * By a code of it; the password was checked. Nothing happens where there is none. Throws `wrong_sign_in`, and
   * `too_many_requests` after too many wrong codes.
   */
  remove(authenticated: AuthenticatedUser, code: string, checked: CheckedBefore): Promise<void>;
  /** Without a code, for the operator. */
  drop(authenticated: Omit<AuthenticatedUser, 'sessionId'>): Promise<void>;
  /** Other recovery codes in the place of those there are, by a code. Throws as `remove`, and `conflict` where there is none. */
  renewRecoveryCodes(
    authenticated: AuthenticatedUser,
    code: string,
  ): Promise<{ readonly recoveryCodes: readonly string[] }>;
  /**
   * Whether the code is good: each is once, of the authenticator or of the list. The password, or what stands for it, was checked.
   * Throws `too_many_requests` after too many wrong ones.
   */
  accept(owner: FactorOwner, code: string, origin: CodeOrigin): Promise<boolean>;
  /** Wrong codes that the user was not shown yet. */
  wrongCodes(userId: number): Promise<WrongCodes | null>;
  dismissWrongCodes(userId: number): Promise<void>;
}

export interface FactorOwner {
  readonly id: number;
  readonly sealedTotp: string;
}

interface SecondFactorDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  /** The same database, for units that write what is sealed. */
  readonly sealing: Database;
  readonly codes: CodeLimits;
  readonly attempts: Pick<Limiter, 'begin' | 'forget'>;
  readonly audit: Audit;
}

/** An attacker at an open page must not activate a secret that its user requested and left. */
const confirmations: AttemptKind = {
  kind: 'second factor confirmation',
  free: 5,
  firstWaitMs: 1000,
  maxWaitMs: 300_000,
  forgetMs: 3_600_000,
};

export function createSecondFactor(deps: SecondFactorDeps): SecondFactor {
  const { database, sealing, clock, secretBox, codes, attempts, audit } = deps;
  const { query } = database;
  const auditEvent = (action: AuditAction, { user }: Pick<AuthenticatedUser, 'user'>) => ({
    action,
    subject: { kind: 'user', id: user.id, name: user.email },
  });
  const takeStep = async ({ id, sealedTotp }: FactorOwner, code: string): Promise<boolean> => {
    // Where the key of the installation was lost, recovery codes are the way in.
    const secret = secretBox.open(sealedTotp, sealContexts.totp(id));
    const step = secret === null ? null : stepOfCode(secret, code, clock());
    if (step === null) return false;
    const [taken] = await database.write([
      query
        .updateTable('web_user')
        .set({ totp_step: step })
        .where('id', '=', id)
        .where('totp_step', '<', step),
    ]);
    return taken?.changes === 1;
  };

  const accept: SecondFactor['accept'] = async (owner, code, origin) => {
    const isRecovery = isRecoveryCode(code);
    const counted = await codes.begin(owner.id, isRecovery ? 'recovery' : 'totp', origin);
    const isGood = await (isRecovery ? useRecoveryCode(database, owner.id, code) : takeStep(owner, code));
    if (isGood) await counted.succeed();
    return isGood;
  };

  /** The second factor of which this is a code; null where there is none. Throws `wrong_sign_in` for another code. */
  const checkCode = async (
    authenticated: AuthenticatedUser,
    code: string,
  ): Promise<{ readonly sealedTotp: string } | null> => {
    const { user, accountId, actor } = authenticated;
    const row = await query
      .selectFrom('web_user')
      .select('sealed_totp as sealedTotp')
      .where('id', '=', user.id)
      .executeTakeFirst();
    if (!row?.sealedTotp) return null;
    const owner = { id: user.id, sealedTotp: row.sealedTotp };
    if (await accept(owner, code, { kind: 'session' })) return { sealedTotp: row.sealedTotp };
    await audit.write(accountId, actor, auditEvent('totp.refuse', authenticated));
    throw new ServiceError(
      'wrong_sign_in',
      'the code is not what the authenticator shows, or was used before',
    );
  };

  const dropping = (authenticated: Omit<AuthenticatedUser, 'sessionId'>): readonly Compilable[] => {
    const { user, accountId, actor } = authenticated;
    return [
      query
        .updateTable('web_user')
        .set({ sealed_totp: null, sealed_next_totp: null })
        .where('id', '=', user.id),
      query.deleteFrom('web_recovery_code').where('user_id', '=', user.id),
      codes.clearing(user.id),
      audit.entry(accountId, actor, auditEvent('totp.disable', authenticated)),
    ];
  };

  return {
    accept,
    async drop(authenticated) {
      await database.write(dropping(authenticated));
    },
    wrongCodes: (userId) => codes.wrongCodes(userId),
    dismissWrongCodes: (userId) => codes.dismiss(userId),

    async prepare(authenticated, checked) {
      const { user } = authenticated;
      if (user.hasTotp) {
        throw new ServiceError('conflict', 'there is a second factor already; remove it first');
      }
      const secret = makeTotpSecret();
      await writeAsUser(sealing, authenticated, { ...checked, sealedTotp: null }, [
        query
          .updateTable('web_user')
          .set({ sealed_next_totp: secretBox.seal(secret, sealContexts.totp(user.id)) })
          .where('id', '=', user.id),
      ]);
      await attempts.forget({ of: confirmations, name: String(user.id) });
      return { secret, uri: totpUri(secret, user.email) };
    },

    async confirm(authenticated, code) {
      const { user, accountId, actor } = authenticated;
      const row = await query
        .selectFrom('web_user')
        .select('sealed_next_totp as sealed')
        .where('id', '=', user.id)
        .where('sealed_totp', 'is', null)
        .executeTakeFirst();
      const secret = row?.sealed ? secretBox.open(row.sealed, sealContexts.totp(user.id)) : null;
      if (!row?.sealed || secret === null) {
        throw new ServiceError(
          'conflict',
          'there is no new second factor to confirm; ask for a secret first',
        );
      }
      const counter = { of: confirmations, name: String(user.id) };
      await attempts.begin(counter);
      const step = stepOfCode(secret, code, clock());
      if (step === null) {
        throw new ServiceError(
          'wrong_parameters',
          'code is not what the authenticator shows now; check the clock of its device',
        );
      }
      const { codes: recoveryCodes, statements } = renewRecoveryCodes(database, user.id);
      // Of two pages that confirm at once the second finds nothing to confirm, and its unit, codes and all, is undone.
      const stillThere = sql<number>`case when sealed_next_totp = ${row.sealed} then cast(${step} as bigint) end`;
      await writeAsUser(database, authenticated, { sealedTotp: null }, [
        query
          .updateTable('web_user')
          .set({ sealed_totp: row.sealed, sealed_next_totp: null, totp_step: stillThere })
          .where('id', '=', user.id),
        ...statements,
        codes.clearing(user.id),
        audit.entry(accountId, actor, auditEvent('totp.enable', authenticated)),
      ]);
      await attempts.forget(counter);
      return { recoveryCodes };
    },

    async remove(authenticated, code, checked) {
      const found = await checkCode(authenticated, code);
      if (found)
        await writeAsUser(database, authenticated, { ...checked, ...found }, dropping(authenticated));
    },

    async renewRecoveryCodes(authenticated, code) {
      const { user, accountId, actor } = authenticated;
      const found = await checkCode(authenticated, code);
      if (found === null) {
        throw new ServiceError('conflict', 'there is no second factor; set one up first');
      }
      const { codes: recoveryCodes, statements } = renewRecoveryCodes(database, user.id);
      await writeAsUser(database, authenticated, found, [
        ...statements,
        audit.entry(accountId, actor, auditEvent('totp.renew_recovery_codes', authenticated)),
      ]);
      return { recoveryCodes };
    },
  };
}
