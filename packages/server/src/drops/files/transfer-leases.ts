import type { Compilable } from 'kysely';
import type { Database } from '../../storage/database.js';
import { refuseUnless } from '../../storage/leases/fence.js';
import { createLeaseKeeper } from '../../storage/leases/lease-keeper.js';
import type { ProcessLeases } from '../../storage/leases/process-leases.js';
import type { DropFileState } from '../../storage/tables/drops.js';
import type { AppendGuard } from './file-bytes.js';
import type { FileRow } from './file-rows.js';

/** Transfers that this process receives: their rows have its id, and until when it is taken for alive. */
export type TransferLeases = ReturnType<typeof createTransferLeases>;

/** One transfer of a file; the next one has a greater epoch. */
export interface Transfer {
  readonly fileId: string;
  readonly epoch: number;
}

export type TransferRow = Pick<FileRow, 'id' | 'lease_owner' | 'leased_until' | 'lease_epoch'>;

export interface TransferLease {
  /** Fires once another may end the transfer. */
  readonly signal: AbortSignal;
  /** Moves the file's row on, unless the transfer is over by now. */
  update(change: Partial<FileRow>): Compilable;
  /** Deletes the file's row, unless the transfer is over by now. */
  remove(): Compilable;
  /** At the end of a unit that begins with `update`: undoes it, as `not-null`, unless the row was moved on to this state. */
  fence(state: DropFileState): Compilable;
  /** Around statements that append to the file: undoes them, as `not-null`, where the transfer is over by now. */
  readonly guard: AppendGuard;
  isHeld(): Promise<boolean>;
  /** It is renewed no longer. */
  end(): void;
}

export function createTransferLeases(
  database: Database,
  { owner, leaseMs, isAlone }: Pick<ProcessLeases, 'owner' | 'leaseMs' | 'isAlone'>,
) {
  const { query, clock } = database;
  const keeper = createLeaseKeeper({
    leaseMs,
    async renew(ids) {
      // Nobody is there to take one.
      if (isAlone) return new Set(ids);
      const [renewed] = await database.write([
        query
          .updateTable('drop_file')
          .set({ leased_until: clock() + leaseMs })
          .where('id', 'in', ids)
          .where('state', '=', 'receiving')
          .where('lease_owner', '=', owner.id)
          .returning('id'),
      ]);
      return new Set((renewed?.rows ?? []).map(({ id }) => String(id)));
    },
  });

  return {
    owner,
    /** Columns of a row whose transfer begins. */
    begin: (): { readonly lease_owner: string; readonly leased_until: number } => ({
      lease_owner: owner.id,
      leased_until: clock() + leaseMs,
    }),
    isKept: (fileId: string): boolean => keeper.has(fileId),

    /** A transfer of which the lease is over; null where its row has changed since it was read. */
    async takeOver({ id, ...seen }: TransferRow): Promise<Transfer | null> {
      const [taken] = await database.write([
        query
          .updateTable('drop_file')
          .set((row) => ({
            lease_owner: owner.id,
            leased_until: clock() + leaseMs,
            lease_epoch: row('lease_epoch', '+', 1),
          }))
          .where('id', '=', id)
          .where('state', '=', 'receiving')
          .where('lease_epoch', '=', seen.lease_epoch)
          // It was not renewed since.
          .where('lease_owner', seen.lease_owner === null ? 'is' : '=', seen.lease_owner)
          .where('leased_until', seen.leased_until === null ? 'is' : '=', seen.leased_until),
      ]);
      return taken?.changes === 1 ? { fileId: id, epoch: seen.lease_epoch + 1 } : null;
    },

    /** Renews it from now on. */
    keep({ fileId, epoch }: Transfer): TransferLease {
      const { signal, end } = keeper.keep(fileId);
      const own = { id: fileId, state: 'receiving', lease_owner: owner.id, lease_epoch: epoch } as const;
      const fence = (state: DropFileState) =>
        refuseUnless(
          database,
          query
            .selectFrom('drop_file')
            .select('id')
            .where(({ and }) => and({ id: fileId, state, lease_epoch: epoch })),
        );
      return {
        signal,
        end,
        update: (change) =>
          query
            .updateTable('drop_file')
            .set({ ...change, ...noLease })
            .where(({ and }) => and(own)),
        remove: () => query.deleteFrom('drop_file').where(({ and }) => and(own)),
        fence,
        guard: (sizeBytes, unit) => [
          query
            .updateTable('drop_file')
            .set({ size_bytes: sizeBytes })
            .where(({ and }) => and(own)),
          ...unit,
          fence('receiving'),
        ],
        isHeld: async () =>
          (await query
            .selectFrom('drop_file')
            .select('id')
            .where(({ and }) => and(own))
            .executeTakeFirst()) !== undefined,
      };
    },
  };
}

/** Columns of a row whose transfer is over. */
const noLease = { lease_owner: null, leased_until: null } as const;
