import { type Compilable, sql } from 'kysely';
import { ServiceError } from '../core/service-error.js';
import type { Database } from '../storage/database.js';
import type { Plan } from './new-account.js';

/** Absent: as it is. */
export interface AccountChange {
  readonly plan?: Plan | undefined;
  /** Calls in all, those used already among them; null: no limit. */
  readonly callLimit?: number | null | undefined;
  /** Days for which results are kept, from the next analysis on. */
  readonly resultDays?: number | undefined;
  /** Whether rate limits hold for all replicas together. */
  readonly hasExactRateLimits?: boolean | undefined;
}

/**
 * Changes an account in one statement. Another plan brings its own limit unless one is given: none for a paid account,
 * `trialCalls` for a trial. A service that runs beside this obeys within a second. Throws `wrong_parameters` when there
 * is no such account.
 * @param alongside statements of the same unit
 */
export async function changeAccount(
  { database, trialCalls }: { readonly database: Database; readonly trialCalls: number },
  name: string,
  { plan, callLimit, resultDays, hasExactRateLimits }: AccountChange,
  alongside: readonly Compilable[] = [],
): Promise<void> {
  const limitOfPlan = plan === 'trial' ? trialCalls : null;
  const [changed] = await database.write([
    database.query
      .updateTable('account')
      .set({
        // To itself rather than to nothing: an UPDATE needs a column.
        plan: plan ?? sql<Plan>`plan`,
        ...(plan === undefined
          ? {}
          : {
              call_limit: sql<
                number | null
              >`case when plan = ${plan} then call_limit else cast(${limitOfPlan} as bigint) end`,
            }),
        ...(callLimit === undefined ? {} : { call_limit: callLimit }),
        ...(resultDays === undefined ? {} : { result_days: resultDays }),
        ...(hasExactRateLimits === undefined ? {} : { exact_rate_limits: hasExactRateLimits ? 1 : 0 }),
      })
      .where('name', '=', name.trim()),
    ...alongside,
  ]);
  if (changed?.changes !== 1) {
    throw new ServiceError(
      'wrong_parameters',
      `There is no account "${name.trim()}"; see: npm run -s lynceus -- accounts list`,
    );
  }
}
