import { setTimeout as sleep } from 'node:timers/promises';
import type { Compilable } from 'kysely';
import type { Database } from '../../storage/database.js';
import type { ProcessLeases } from '../../storage/leases/process-leases.js';
import type { RowLease } from '../../storage/leases/row-leases.js';

/** Names of the leases of streams begin with it. */
export const streamLeasePrefix = 'stream ';

export function streamLeaseName(accountId: number, streamId: number): string {
  return `${streamLeasePrefix}${accountId} ${streamId}`;
}

/** The right to run a stream. A database that is away for longer than the lease costs it only where another takes the stream. */
export interface StreamHold {
  /** For the end of each unit, of the lease as it is now. */
  fence(): readonly Compilable[];
  /** Whether what `fence` answers now lets units pass. */
  isHeld(): Promise<boolean>;
  /** Fires once another runs the stream. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

export interface HoldStreamDeps {
  readonly database: Pick<Database, 'query'>;
  readonly leases: Pick<ProcessLeases, 'owner' | 'rows'>;
}

const takeAgainMs = 1000;

/** Null while another holds it. */
export async function holdStream(
  { database, leases }: HoldStreamDeps,
  name: string,
): Promise<StreamHold | null> {
  const first = await leases.rows.take(name);
  if (first === null) return null;
  const lost = new AbortController();
  const released = new AbortController();
  let lease: RowLease = first;

  const takeAgain = async (): Promise<void> => {
    while (!released.signal.aborted) {
      const taken = await leases.rows.take(name).catch(() => null);
      if (taken !== null) {
        if (released.signal.aborted) return taken.release();
        follow(taken);
        return;
      }
      const owner = await readOwner(database, name).catch(() => undefined);
      if (owner !== undefined && owner !== leases.owner.id) return lost.abort();
      await sleep(takeAgainMs, undefined, { signal: released.signal }).catch(() => undefined);
    }
  };
  const follow = (taken: RowLease) => {
    lease = taken;
    taken.signal.addEventListener('abort', () => void takeAgain(), { once: true });
  };
  follow(first);

  return {
    fence: () => lease.fence,
    isHeld: () => lease.isHeld(),
    lost: lost.signal,
    async release() {
      released.abort();
      await lease.release();
    },
  };
}

/** Undefined while nobody has it. */
async function readOwner({ query }: Pick<Database, 'query'>, name: string): Promise<string | undefined> {
  const row = await query.selectFrom('lease').select('owner').where('name', '=', name).executeTakeFirst();
  return row?.owner;
}
