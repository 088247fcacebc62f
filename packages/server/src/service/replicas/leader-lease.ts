import { type Compilable, sql } from 'kysely';
import type { Database } from '../../storage/database.js';
import { fencedDatabase } from '../../storage/leases/fence.js';
import { LeadershipLost } from '../../storage/sweeps/leadership.js';
import { sweepsLease } from './replica-rows.js';

/** One term of office of a replica. */
export interface Term {
  readonly owner: string;
  readonly epoch: number;
}

/**
 * Takes the lease where it is free or over, or makes it longer where it is this one's; answers the epoch, and no row where another
 * leads.
 * @param isAlone whether no other service may be on the database: then whoever had it before is dead
 */
export function takeLease(
  { query }: Pick<Database, 'query'>,
  owner: string,
  {
    nowMs,
    untilMs,
    isAlone,
  }: { readonly nowMs: number; readonly untilMs: number; readonly isAlone: boolean },
): Compilable {
  const insert = query
    .insertInto('leader_lease')
    .values({ name: sweepsLease, owner, epoch: 1, leased_until: untilMs });
  return insert
    .onConflict((conflict) => {
      const update = conflict.column('name').doUpdateSet({
        owner,
        epoch: sql<number>`case when leader_lease.owner = ${owner} then leader_lease.epoch else leader_lease.epoch + 1 end`,
        leased_until: untilMs,
      });
      if (isAlone) return update;
      return update.where(({ or, eb }) =>
        or([eb('leader_lease.owner', '=', owner), eb('leader_lease.leased_until', '<=', nowMs)]),
      );
    })
    .returning('epoch');
}

/** Whether there is nothing to take: looked at first, for it costs no lock. */
export async function isHeldByAnother(
  { query }: Pick<Database, 'query'>,
  owner: string,
  nowMs: number,
): Promise<boolean> {
  const held = await query
    .selectFrom('leader_lease')
    .select('name')
    .where('name', '=', sweepsLease)
    .where('owner', '<>', owner)
    .where('leased_until', '>', nowMs)
    .executeTakeFirst();
  return held !== undefined;
}

/** Lets another lead at once. */
export function releaseLease({ query }: Pick<Database, 'query'>, owner: string): Compilable {
  return query
    .updateTable('leader_lease')
    .set({ leased_until: 0 })
    .where('name', '=', sweepsLease)
    .where('owner', '=', owner);
}

/**
 * The same database, on which each unit holds the lease from its first statement on: who takes over waits for it, and a unit that
 * comes after that is undone with `LeadershipLost`.
 */
export function fence(database: Database, { owner, epoch }: Term): Database {
  const { query } = database;
  const held = query
    .updateTable('leader_lease')
    // NULL, which the column refuses, undoes the unit.
    .set({ epoch: sql<number>`case when owner = ${owner} and epoch = ${epoch} then epoch end` })
    .where('name', '=', sweepsLease);
  const isHeld = query
    .selectFrom('leader_lease')
    .select('name')
    .where(({ and }) => and({ name: sweepsLease, owner, epoch }));
  return fencedDatabase(
    database,
    () => [held],
    async (error) => ((await isHeld.executeTakeFirst()) ? error : new LeadershipLost(error)),
  );
}
