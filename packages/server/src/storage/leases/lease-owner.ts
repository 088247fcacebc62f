import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';

/** Without a sign of life for so long, a process counts as dead. */
export const leaseMs = 30_000;

/** Who holds leases: one process, from its start to its end. */
export interface LeaseOwner {
  /** No two have the same, two starts of one service included. */
  readonly id: string;
  /** How the ids of all services of its data folder begin; null for a command, which may run beside one. */
  readonly ofFolder: string | null;
}

/** @param folderUid of the data folder that a service holds; empty for a command */
export function createLeaseOwner(folderUid: string): LeaseOwner {
  if (folderUid === '') return { id: randomUUID(), ofFolder: null };
  const ofFolder = `${folderUid}/`;
  return { id: `${ofFolder}${randomUUID()}`, ofFolder };
}

/** Whether a lease is of a service that ran on the same data folder before: the folder's lock proves that it has ended. */
export function isOfFormer({ id, ofFolder }: LeaseOwner, column: string): RawBuilder<boolean> {
  if (ofFolder === null) return sql<boolean>`1 = 0`;
  const owner = sql.ref(column);
  return sql<boolean>`(${owner} like ${`${ofFolder}%`} and ${owner} <> ${id})`;
}
