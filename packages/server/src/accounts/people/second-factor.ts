import { sql } from 'kysely';
import type { Clock } from '../../clock.js';
import { ServiceError } from '../../errors/service-error.js';
import type { Database } from '../../storage/database.js';
import { sealContexts } from '../../storage/secrets/sealed-values.js';
import type { SecretBox } from '../../storage/secrets/secret-box.js';
import { StorageError } from '../../storage/storage-error.js';
import type { Audit } from '../audit/audit.js';
import type { PersonAtWork } from './person-at-work.js';
import { renewRecoveryCodes, useRecoveryCode } from './recovery-codes.js';
import { makeTotpSecret, stepOfCode, totpUri } from './totp.js';

/** A person's second factor: codes of an authenticator, or of a list on paper. */
export interface SecondFactor {
  /** A secret that is not in force yet, shown here and never again. Throws `conflict` where one is in force. */
  prepare(person: PersonAtWork): Promise<{ readonly secret: string; readonly uri: string }>;
  /** Puts the prepared secret in force by a code of it. Throws `wrong_parameters` for another, `conflict` without one. */
  confirm(person: PersonAtWork, code: string): Promise<{ readonly recoveryCodes: readonly string[] }>;
  /** The password was checked. Nothing happens where there is none. */
  remove(person: PersonAtWork): Promise<void>;
  /** Whether the code is good: each is once, of the authenticator or of the list. */
  accept(userId: number, sealed: string, code: string): Promise<boolean>;
}

export interface SecondFactorDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly audit: Audit;
}

export function createSecondFactor({ database, clock, secretBox, audit }: SecondFactorDeps): SecondFactor {
  const { query } = database;
  const deed = (action: string, { user }: PersonAtWork) => ({
    action,
    subject: { kind: 'user', id: user.id, name: user.email },
  });
  return {
    async prepare(person) {
      const { user } = person;
      if (user.hasTotp) {
        throw new ServiceError('conflict', 'there is a second factor already; remove it first');
      }
      const secret = makeTotpSecret();
      await database.write([
        query
          .updateTable('web_user')
          .set({ sealed_next_totp: secretBox.seal(secret, sealContexts.totp(user.id)) })
          .where('id', '=', user.id),
      ]);
      return { secret, uri: totpUri(secret, user.email) };
    },

    async confirm(person, code) {
      const { user, accountId, actor } = person;
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
      const step = stepOfCode(secret, code, clock());
      if (step === null) {
        throw new ServiceError(
          'wrong_parameters',
          'code is not what the authenticator shows now; check the clock of its device',
        );
      }
      const { codes, statements } = renewRecoveryCodes(database, user.id);
      // Of two pages that confirm at once the second finds nothing to confirm, and its unit, codes and all, is undone.
      const stillThere = sql<number>`case when sealed_next_totp = ${row.sealed} then cast(${step} as bigint) end`;
      await database
        .write([
          query
            .updateTable('web_user')
            .set({ sealed_totp: row.sealed, sealed_next_totp: null, totp_step: stillThere })
            .where('id', '=', user.id),
          ...statements,
          audit.entry(accountId, actor, deed('totp.enable', person)),
        ])
        .catch((error: unknown) => {
          if (!(error instanceof StorageError && error.code === 'not-null')) throw error;
          throw new ServiceError('conflict', 'the second factor was changed meanwhile', { cause: error });
        });
      return { recoveryCodes: codes };
    },

    async remove(person) {
      const { user, accountId, actor } = person;
      await database.write([
        query
          .updateTable('web_user')
          .set({ sealed_totp: null, sealed_next_totp: null })
          .where('id', '=', user.id),
        query.deleteFrom('web_recovery_code').where('user_id', '=', user.id),
        audit.entry(accountId, actor, deed('totp.disable', person)),
      ]);
    },

    async accept(userId, sealed, code) {
      // Where the key of the installation was lost, recovery codes are the way in.
      const secret = secretBox.open(sealed, sealContexts.totp(userId));
      const step = secret === null ? null : stepOfCode(secret, code, clock());
      if (step === null) return useRecoveryCode(database, userId, code);
      const [taken] = await database.write([
        query
          .updateTable('web_user')
          .set({ totp_step: step })
          .where('id', '=', userId)
          .where('totp_step', '<', step),
      ]);
      return taken?.changes === 1;
    },
  };
}
