import { setTimeout as sleep } from 'node:timers/promises';
import { type Compilable, type ExpressionBuilder, sql } from 'kysely';
import type { Database } from '../database.js';
import type { Schema } from '../schema.js';
import { refuseUnless } from './fence.js';
import { createLeaseKeeper } from './lease-keeper.js';
import { isOfFormer, type LeaseOwner } from './lease-owner.js';

/** Work that has no row of its own, of which there is one at a time in all services on the database: by its name. */
export type RowLeases = ReturnType<typeof createRowLeases>;

export interface RowLease {
  /** Fires once it is another's, or may be. */
  readonly signal: AbortSignal;
  /** At the end of each unit that the work writes: undoes it, as `not-null`, when the lease was taken by another. */
  readonly fence: readonly Compilable[];
  isHeld(): Promise<boolean>;
  /** Where that cannot be written down now, it is tried until the lease has ended by itself. */
  release(): Promise<void>;
}

interface RowLeasesDeps {
  readonly database: Database;
  readonly owner: LeaseOwner;
  readonly leaseMs: number;
}

/** Leases that nobody gave back are forgotten. */
const forgottenMs = 86_400_000;

export function createRowLeases({ database, owner, leaseMs }: RowLeasesDeps) {
  const { query, clock } = database;

  const keeper = createLeaseKeeper({
    leaseMs,
    async renew(names) {
      const [renewed] = await database.write([
        query
          .updateTable('lease')
          .set({ leased_until: clock() + leaseMs })
          .where('owner', '=', owner.id)
          .where('name', 'in', names)
          .returning('name'),
      ]);
      return new Set((renewed?.rows ?? []).map(({ name }) => String(name)));
    },
  });

  return {
    /** Null while another process, or another caller of this one, has it. */
    async take(name: string): Promise<RowLease | null> {
      // A client that asks without end for what is under way costs no write.
      if (keeper.holds(name)) return null;
      const now = clock();
      const [taken] = await database.write([
        query
          .insertInto('lease')
          // Greater than before even where the row was deleted in between.
          .values({ name, owner: owner.id, epoch: now, leased_until: now + leaseMs })
          .onConflict((conflict) =>
            conflict
              .column('name')
              .doUpdateSet({
                owner: sql.ref('excluded.owner'),
                leased_until: sql.ref('excluded.leased_until'),
                epoch: sql<number>`case when lease.epoch >= excluded.epoch then lease.epoch + 1 else excluded.epoch end`,
              })
              .where('lease.leased_until', '<', now),
          )
          .returning('epoch'),
      ]);
      const row = taken?.rows[0];
      if (row === undefined) return null;
      const epoch = Number(row['epoch']);
      const { signal, end } = keeper.keep(name);
      const isMine = ({ and }: ExpressionBuilder<Schema, 'lease'>) => and({ name, owner: owner.id, epoch });
      const held = query.selectFrom('lease').select('name').where(isMine);
      return {
        signal,
        fence: [
          query
            .updateTable('lease')
            .set((each) => ({ epoch: each.ref('epoch') }))
            .where(isMine),
          refuseUnless(database, held),
        ],
        isHeld: async () => (await held.executeTakeFirst()) !== undefined,
        async release() {
          end();
          const give = () => database.write([query.deleteFrom('lease').where(isMine)]);
          await give().catch(() => void giveLater(give, leaseMs));
        },
      };
    },

    /** Gives back what former services of this data folder held, before anything is served. */
    async endFormer() {
      if (owner.ofFolder === null) return;
      await database.write([
        query
          .deleteFrom('lease')
          .where(({ or, eb }) =>
            or([isOfFormer(owner, 'owner'), eb('leased_until', '<', clock() - forgottenMs)]),
          ),
      ]);
    },
  };
}

const giveAgainMs = 1000;

/** A database that is back after seconds has the lease no longer than that: whoever asks next need not wait for its end. */
async function giveLater(give: () => Promise<unknown>, leaseMs: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < leaseMs; waitedMs += giveAgainMs) {
    await sleep(giveAgainMs, undefined, { ref: false });
    if (await give().catch(() => null)) return;
  }
}
