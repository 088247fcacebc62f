import { createKeyedMutex } from '../../core/keyed-mutex.js';
import type { Database } from '../database.js';
import { createLeaseOwner, leaseMs as usualLeaseMs } from './lease-owner.js';
import { createRowLeases } from './row-leases.js';
import { createSharedLock } from './shared-lock.js';

/** What this process has to hold leases with. */
export type ProcessLeases = ReturnType<typeof createProcessLeases>;

export function createProcessLeases({
  database,
  folderUid,
  isAlone,
  leaseMs = usualLeaseMs,
}: {
  readonly database: Database;
  /** Of the data folder that a service holds; empty for a command. */
  readonly folderUid: string;
  readonly isAlone: boolean;
  readonly leaseMs?: number;
}) {
  const owner = createLeaseOwner(folderUid);
  const rows = createRowLeases({ database, owner, leaseMs });
  return {
    owner,
    leaseMs,
    /** Whether no other service can be on the database, which is then a file in the data folder. */
    isAlone,
    rows,
    /** One at a time under a key, in all services on the database. Where nobody else is, no commit for each name. */
    withSharedLock: isAlone ? createKeyedMutex() : createSharedLock(rows),
  };
}
