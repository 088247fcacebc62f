import { type InsertQueryBuilder, type InsertResult, sql } from 'kysely';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { Database } from '../storage/database.js';
import type { Schema } from '../storage/schema.js';
import { StorageError } from '../storage/storage-error.js';
import { checkName } from './check-fields.js';

export type Plan = 'paid' | 'trial';

export interface NewAccount {
  readonly name: string;
  /** Unless given, the first account of all is paid and later ones are trials. */
  readonly plan?: Plan | undefined;
  /** Calls in all; null: no limit. Unless given, a trial has the calls of the settings and a paid account no limit. */
  readonly callLimit?: number | null | undefined;
  /** Days for which results are kept, 0 for not at all; those of the settings unless given. */
  readonly resultDays?: number | undefined;
}

interface AccountDefaults {
  /** Calls that a trial account gets. */
  readonly trialCalls: number;
  /** Days for which a new account keeps its results. */
  readonly resultDays: number;
}

export interface AccountDependencies extends AccountDefaults {
  readonly database: Database;
  readonly clock: Clock;
}

/** The statement that makes an account; a name that exists already breaks its uniqueness. */
export function insertAccount(
  { database, clock, trialCalls, resultDays }: AccountDependencies,
  wanted: NewAccount,
): InsertQueryBuilder<Schema, 'account', InsertResult> {
  const isFirst = sql`not exists (select 1 from account)`;
  const plan =
    wanted.plan === undefined
      ? sql<Plan>`case when ${isFirst} then 'paid' else 'trial' end`
      : sql<Plan>`cast(${wanted.plan} as text)`;
  const defaultCallLimits = {
    paid: sql<null>`cast(null as bigint)`,
    trial: sql<number>`cast(${trialCalls} as bigint)`,
  };
  const callLimit =
    wanted.callLimit !== undefined
      ? sql<number | null>`cast(${wanted.callLimit} as bigint)`
      : wanted.plan !== undefined
        ? defaultCallLimits[wanted.plan]
        : sql<
            number | null
          >`case when ${isFirst} then ${defaultCallLimits.paid} else ${defaultCallLimits.trial} end`;
  return database.query
    .insertInto('account')
    .columns(['name', 'plan', 'call_limit', 'result_days', 'created_at'])
    .expression(
      database.query
        .selectNoFrom([
          sql<string>`cast(${checkName('account', wanted.name)} as text)`.as('name'),
          plan.as('plan'),
          callLimit.as('call_limit'),
          sql<number>`cast(${wanted.resultDays ?? resultDays} as bigint)`.as('result_days'),
          sql<number>`cast(${clock()} as bigint)`.as('created_at'),
        ])
        // SQLite reads `select … on conflict` as a join without a condition.
        .where(sql<boolean>`1 = 1`),
    );
}

/** Makes an account without a key. Throws `conflict` when there is one of this name. */
export async function createAccount(deps: AccountDependencies, wanted: NewAccount): Promise<void> {
  // In turn, so that not two accounts are the first.
  await deps.database.write([insertAccount(deps, wanted)], { isSerialized: true }).catch((error: unknown) => {
    if (!(error instanceof StorageError && error.code === 'unique')) throw error;
    throw new ServiceError(
      'conflict',
      `There is an account "${wanted.name.trim()}" already; change it instead.`,
      {
        cause: error,
      },
    );
  });
}
