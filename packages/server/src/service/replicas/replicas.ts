import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../core/clock.js';
import type { Component } from '../../core/lifecycle.js';
import type { Logger } from '../../core/logger.js';
import type { Role } from '../../core/roles.js';
import type { Database, WriteResult } from '../../storage/database.js';
import { withKeysHeld } from '../../storage/secrets/key-fence.js';
import { checksOf, type KeyRing } from '../../storage/secrets/key-ring.js';
import { StorageError } from '../../storage/storage-error.js';
import type { Leadership } from '../../storage/sweeps/leadership.js';
import { fence, isHeldByAnother, releaseLease, type Term, takeLease } from './leader-lease.js';
import {
  beatStatements,
  type ListedReplica,
  listReplicas,
  type ReplicaFacts,
  type ReplicaTiming,
  removeReplica,
} from './replica-rows.js';

interface ReplicasDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly version: string;
  /** Without `jobs` it never leads. */
  readonly roles: ReadonlySet<Role>;
  /** Whether no other service may be on the database. */
  readonly isAlone: boolean;
  readonly timing: ReplicaTiming;
  readonly host?: string;
  /** The keys of the installation that it has; without, nothing is known of them. */
  readonly keys?: KeyRing;
  /** Called when the key was replaced while this one was cut off: it must end. */
  readonly onKeysReplaced?: (error: StorageError) => void;
}

/** This service among those on its database. */
export interface Replicas extends Leadership {
  readonly uid: string;
  /** Says that it is alive, takes the lease where it is free, and looks who else is there. */
  beat(): Promise<void>;
  /** Called each time this one begins to lead. */
  onLead(work: () => void): void;
  /** Replicas alive that serve HTTP, as of the last beat; at least 1. */
  httpReplicas(): number;
  /** As SQL on a row of `web_link`: whether another that is alive ran when the link was made, which it or one beside it printed. */
  hasPrintedLink(): RawBuilder<boolean>;
  list(): Promise<readonly ListedReplica[]>;
  /** Whether another that is alive has the role. */
  hasOther(role: Role): Promise<boolean>;
  /** From its start it beats by itself; when it stops its row goes, and another may lead. */
  readonly component: Component;
}

const withoutJobs =
  'no replica alive has the role jobs: files of drops wait and nothing is swept; start one, or add jobs to LYNCEUS_ROLES';

/** Registers this service. What follows may rely on its row being there. */
export async function openReplicas(deps: ReplicasDeps): Promise<Replicas> {
  const { database, clock, logger, isAlone, timing } = deps;
  const { beatMs, deadAfterMs } = timing;
  const facts: ReplicaFacts = {
    uid: randomUUID(),
    host: deps.host ?? hostname(),
    version: deps.version,
    roles: [...deps.roles],
    startedAt: clock(),
  };
  const { uid } = facts;
  const keyChecks = deps.keys ? checksOf(deps.keys) : null;
  // Alive is only who opens what the others seal: a replacement of the key waits for no other.
  const heldDatabase = deps.keys ? withKeysHeld(database, deps.keys) : database;
  const followers: (() => void)[] = [];
  let term: (Term & { readonly untilMs: number }) | null = null;
  let httpReplicas = 1;
  let hasJobs = true;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> | undefined;
  let isStopped = false;

  const look = async () => {
    const alive = (await listReplicas(database, clock(), timing)).filter(({ isAlive }) => isAlive);
    httpReplicas = Math.max(1, alive.filter(({ roles }) => roles.includes('http')).length);
    hasJobs = deps.roles.has('jobs') || alive.some(({ roles }) => roles.includes('jobs'));
  };
  const setTerm = (epoch: number | null, untilMs: number) => {
    const before = term;
    term = epoch === null ? null : { owner: uid, epoch, untilMs };
    if (epoch === null && before) logger.warn({ epoch: before.epoch }, 'another replica leads now');
    if (epoch === null || before?.epoch === epoch) return;
    logger.info({ replica: uid, epoch }, 'this replica leads');
    for (const follow of followers) follow();
  };
  const beatOnce = async () => {
    const nowMs = clock();
    const untilMs = nowMs + deadAfterMs;
    const alive = beatStatements(database, facts, nowMs, keyChecks);
    const take = takeLease(database, uid, { nowMs, untilMs, isAlone });
    const epochOf = (results: readonly WriteResult[]) => {
      const epoch = results.at(-1)?.rows[0]?.['epoch'];
      return epoch === undefined ? null : Number(epoch);
    };
    if (!deps.roles.has('jobs')) {
      await heldDatabase.write(alive);
      return look();
    }
    if (isAlone) return setTerm(epochOf(await heldDatabase.write([...alive, take])), untilMs);
    await heldDatabase.write(alive);
    await look();
    // Units of their own, and none where another leads: who waits for the lease is alive all the same.
    if (await isHeldByAnother(database, uid, nowMs)) return setTerm(null, 0);
    setTerm(epochOf(await database.write([take])), untilMs);
  };
  const beat = (): Promise<void> => {
    if (isStopped) return Promise.resolve();
    beating ??= beatOnce().finally(() => {
      beating = undefined;
    });
    return beating;
  };
  const beatOrWarn = () =>
    beat().catch((error: unknown) => {
      logger.warn({ err: error }, 'other replicas were not reached by a heartbeat');
      if (error instanceof StorageError && error.code === 'wrong-key') deps.onKeysReplaced?.(error);
    });
  await beat();

  return {
    uid,
    beat,
    lead: () => (term !== null && clock() < term.untilMs ? fence(database, term) : null),
    onLead: (work) => void followers.push(work),
    httpReplicas: () => httpReplicas,
    hasPrintedLink: () => sql<boolean>`exists (
      select 1 from replica where uid <> ${uid} and seen_at > ${clock() - deadAfterMs}
        and replica.started_at <= web_link.created_at
    )`,
    list: () => listReplicas(database, clock(), timing),
    hasOther: async (role) =>
      (await listReplicas(database, clock(), timing)).some(
        (each) => each.isAlive && each.uid !== uid && each.roles.includes(role),
      ),
    component: {
      name: 'replicas',
      async start() {
        timer = setInterval(() => void beatOrWarn(), beatMs).unref();
      },
      // As of the last beat; a replica that has the role is missed no later than it counts as dead.
      isReady: () => (hasJobs ? true : { degraded: withoutJobs }),
      async stop() {
        clearInterval(timer);
        const before = beating;
        isStopped = true;
        await before?.catch(() => undefined);
        term = null;
        // Of one that cannot, others notice that it is gone.
        await database
          .write([removeReplica(database, uid), releaseLease(database, uid)])
          .catch((error: unknown) => logger.warn({ err: error }, 'the row of this replica was not removed'));
      },
    },
  };
}
