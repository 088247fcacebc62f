import { type Compilable, sql } from 'kysely';
import type { Clock } from '../../core/clock.js';
import type { Database } from '../../storage/database.js';
import type { RowLease } from '../../storage/leases/row-leases.js';
import type { OutputRow } from './output-rows.js';

/** How far an output has come, in its row. */
export type OutputCursor = ReturnType<typeof createOutputCursor>;

/** Thrown when the row was changed, deleted, or is another service's to write. */
export class OutputChanged extends Error {
  override readonly name = 'OutputChanged';
}

/** Writes nothing once the lease or the revision is another. */
export function createOutputCursor(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  row: Pick<OutputRow, 'account_id' | 'id' | 'revision' | 'delivered_seq' | 'failing_since'>,
  lease: Pick<RowLease, 'fence'>,
) {
  const { query } = database;
  let seq = row.delivered_seq;
  let failingSince = row.failing_since;

  const own = () =>
    query
      .updateTable('stream_output')
      .where('account_id', '=', row.account_id)
      .where('id', '=', row.id)
      .where('revision', '=', row.revision)
      .where('deleted_at', 'is', null);
  const write = async (update: Compilable) => {
    const [written] = await database.write([update, ...lease.fence]);
    if (written?.changes !== 1) throw new OutputChanged();
  };

  return {
    get seq(): number {
      return seq;
    },
    /** Null while all is well; when the first attempt failed. */
    get failingSince(): number | null {
      return failingSince;
    },
    /** Everything up to this event was delivered, or is not for the output. */
    async advance(to: number) {
      await write(own().set({ delivered_seq: to, failing_since: null, error: null }));
      seq = to;
      failingSince = null;
    },
    /** Everything up to this event is not for the output, which fails on. */
    async skip(to: number) {
      await write(own().set({ delivered_seq: to }));
      seq = to;
    },
    /** The next event, or a connection, failed. */
    async fail(message: string) {
      const since = failingSince ?? clock();
      await write(own().set({ failing_since: since, error: message }));
      failingSince = since;
    },
    /** The next event is left out, after so much time or so many attempts. */
    async giveUp(to: number, message: string) {
      await write(
        own().set({
          delivered_seq: to,
          error: message,
          given_up: sql<number>`given_up + 1`,
        }),
      );
      seq = to;
    },
  };
}
