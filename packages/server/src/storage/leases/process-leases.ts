import { createKeyedMutex, type WithKeyLock } from '../../core/keyed-mutex.js';
import type { Database } from '../database.js';
import { createLeaseOwner, type LeaseOwner, leaseMs as usualLeaseMs } from './lease-owner.js';
import { createRowLeases, type RowLeases } from './row-leases.js';
import { createSharedLock } from './shared-lock.js';

/** What this process has to hold leases with. */
export interface ProcessLeases {
  readonly owner: LeaseOwner;
  readonly leaseMs: number;
  /** Whether no other service can be on the database, which is then a file in the data folder. */
  readonly isAlone: boolean;
  readonly rows: RowLeases;
  /** One at a time under a key, in all services on the database. */
  readonly withSharedLock: WithKeyLock;
}

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
}): ProcessLeases {
  const owner = createLeaseOwner(folderUid);
  const rows = createRowLeases({ database, owner, leaseMs });
  return {
    owner,
    leaseMs,
    isAlone,
    rows,
    // Where nobody else is, nobody else is asked: no commit for each name.
    withSharedLock: isAlone ? createKeyedMutex() : createSharedLock(rows),
  };
}
