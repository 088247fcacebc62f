import type { Compilable, ExpressionBuilder } from 'kysely';
import type { Database } from '../../storage/database.js';
import { refuseUnless } from '../../storage/leases/fence.js';
import { createLeaseKeeper } from '../../storage/leases/lease-keeper.js';
import type { ProcessLeases } from '../../storage/leases/process-leases.js';
import type { Schema } from '../../storage/schema.js';
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

export type TransferLease = ReturnType<TransferLeases['keep']>;

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
    async takeOver({ id, lease_owner, leased_until, lease_epoch }: TransferRow): Promise<Transfer | null> {
      const [taken] = await database.write([
        query
          .updateTable('drop_file')
          .set((row) => ({
            lease_owner: owner.id,
            leased_until: clock() + leaseMs,
            lease_epoch: row('lease_epoch', '+', 1),
          }))
          // It was not renewed since.
          .where(({ and }) => and({ id, state: 'receiving', lease_epoch, lease_owner, leased_until })),
      ]);
      return taken?.changes === 1 ? { fileId: id, epoch: lease_epoch + 1 } : null;
    },

    /** Renews it from now on. */
    keep({ fileId, epoch }: Transfer) {
      const { signal, end } = keeper.keep(fileId);
      const isOwn = ({ and }: ExpressionBuilder<Schema, 'drop_file'>) =>
        and({ id: fileId, state: 'receiving', lease_owner: owner.id, lease_epoch: epoch });
      const update = (change: Partial<FileRow>) => query.updateTable('drop_file').set(change).where(isOwn);
      /** At the end of a unit that begins with `update`: undoes it, as `not-null`, unless the row was moved on to this state. */
      const fence = (state: DropFileState): Compilable =>
        refuseUnless(
          database,
          query
            .selectFrom('drop_file')
            .select('id')
            .where(({ and }) => and({ id: fileId, state, lease_epoch: epoch })),
        );
      /** Around statements that append to the file: undoes them, as `not-null`, where the transfer is over by now. */
      const guard: AppendGuard = (sizeBytes, unit) => [
        update({ size_bytes: sizeBytes }),
        ...unit,
        fence('receiving'),
      ];
      return {
        /** Fires once another may end the transfer. */
        signal,
        /** It is renewed no longer. */
        end,
        /** Moves the file's row on, unless the transfer is over by now. */
        update: (change: Partial<FileRow>): Compilable => update({ ...change, ...noLease }),
        /** Deletes the file's row, unless the transfer is over by now. */
        remove: (): Compilable => query.deleteFrom('drop_file').where(isOwn),
        fence,
        guard,
        isHeld: async () =>
          (await query.selectFrom('drop_file').select('id').where(isOwn).executeTakeFirst()) !== undefined,
      };
    },
  };
}

/** Columns of a row whose transfer is over. */
const noLease = { lease_owner: null, leased_until: null } as const;
