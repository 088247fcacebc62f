import type { Compilable } from 'kysely';
import type { Database } from '../../storage/database.js';

/** How often a replica says that it is alive, and what follows when it does not. */
export interface ReplicaTiming {
  readonly beatMs: number;
  /** Without a sign of life for so long it counts as dead, and another may lead in its place. */
  readonly deadAfterMs: number;
}

/** Where others share the database, a dead one is missed after four beats. */
export const sharedTiming: ReplicaTiming = { beatMs: 5000, deadAfterMs: 20_000 };
/** A service alone on its database is missed by nobody: a commit a minute is enough for who lists it. */
export const aloneTiming: ReplicaTiming = { beatMs: 60_000, deadAfterMs: 180_000 };
/** Rows of dead ones stay so long, for whoever looks for what has happened. */
export const deadKeptMs = 600_000;

export function timingOf({ databaseUrl }: { readonly databaseUrl: string }): ReplicaTiming {
  return databaseUrl === '' ? aloneTiming : sharedTiming;
}

/** Replicas that were seen since then are alive. */
export function aliveSince(nowMs: number, settings: { readonly databaseUrl: string }): number {
  return nowMs - timingOf(settings).deadAfterMs;
}

/** What a replica says of itself. */
export interface ReplicaFacts {
  /** Random, another at each start. */
  readonly uid: string;
  readonly host: string;
  readonly version: string;
  readonly roles: readonly string[];
  readonly startedAt: number;
}

/** A replica as others see it; times are milliseconds since 1970 on the clock of the database. */
export interface ListedReplica extends ReplicaFacts {
  readonly seenAt: number;
  readonly isAlive: boolean;
  /** Whether it alone runs the sweeps of rows. */
  readonly isLeader: boolean;
}

/** The only lease of its kind: who runs the sweeps of rows. */
export const sweepsLease = 'sweeps';

/** All that have a row, in the order of their starts. */
export async function listReplicas(
  { query }: Pick<Database, 'query'>,
  nowMs: number,
  { deadAfterMs }: Pick<ReplicaTiming, 'deadAfterMs'>,
): Promise<readonly ListedReplica[]> {
  const rows = await query
    .selectFrom('replica')
    .leftJoin('leader_lease', (join) =>
      join.onRef('leader_lease.owner', '=', 'replica.uid').on('leader_lease.name', '=', sweepsLease),
    )
    .selectAll('replica')
    .select('leader_lease.leased_until as leadsUntil')
    .orderBy('started_at')
    .orderBy('uid')
    .execute();
  return rows.map(({ uid, host, version, roles, started_at, seen_at, leadsUntil }) => ({
    uid,
    host,
    version,
    roles: roles.split(','),
    startedAt: started_at,
    seenAt: seen_at,
    isAlive: seen_at > nowMs - deadAfterMs,
    isLeader: leadsUntil !== null && leadsUntil > nowMs,
  }));
}

/** Says that a replica is alive, and deletes rows of those that died some time ago. */
export function beatStatements(
  { query }: Pick<Database, 'query'>,
  { uid, host, version, roles, startedAt }: ReplicaFacts,
  nowMs: number,
  keyChecks: readonly string[] | null,
): readonly Compilable[] {
  return [
    query
      .insertInto('replica')
      .values({
        uid,
        host,
        version,
        roles: roles.join(','),
        started_at: startedAt,
        seen_at: nowMs,
        key_checks: keyChecks?.join(',') ?? null,
      })
      .onConflict((conflict) => conflict.column('uid').doUpdateSet({ seen_at: nowMs })),
    query
      .deleteFrom('replica')
      .where('seen_at', '<', nowMs - deadKeptMs)
      .where('uid', '<>', uid),
  ];
}

/** Of a replica that stops. */
export function removeReplica({ query }: Pick<Database, 'query'>, uid: string): Compilable {
  return query.deleteFrom('replica').where('uid', '=', uid);
}
