import { type Expression, type RawBuilder, sql } from 'kysely';
import { ServiceError } from '../core/service-error.js';
import { StorageError } from './storage-error.js';

/**
 * The value while there are fewer rows than the limit, else NULL: in a column that must have a value this undoes the unit,
 * which `refuseWhenFull` tells.
 * @param rows a query of one number
 * @param limit 0: none
 */
export function whileFewer<T>(value: RawBuilder<T>, rows: Expression<unknown>, limit: number): RawBuilder<T> {
  return limit === 0 ? value : sql<T>`case when (${rows}) < cast(${limit} as bigint) then ${value} end`;
}

/** Throws `account_full` with these words where the unit was undone for want of a value. */
export async function refuseWhenFull<T>(unit: Promise<T>, message: string): Promise<T> {
  try {
    return await unit;
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'not-null') throw error;
    throw new ServiceError('account_full', message, { cause: error });
  }
}
