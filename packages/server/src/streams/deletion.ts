import { type Compilable, type Selectable, sql } from 'kysely';
import type { Clock } from '../core/clock.js';
import type { Database } from '../storage/database.js';
import type { Schema } from '../storage/schema.js';
import type { Media } from './media.js';
import { removeTracks, unlessNamed } from './remove-tracks.js';
import { createStreamRows } from './stream-rows.js';

/** What a deletion removed, for good. */
export interface StreamReceipt {
  readonly tracks: number;
  readonly files: number;
  readonly bytes: number;
}

export type StreamDeletion = ReturnType<typeof createStreamDeletion>;

interface StreamDeletionDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly clock: Clock;
  readonly media: Pick<Media, 'remove'>;
}

/** Rows in one unit, so that it does not hold up other writers. */
const batchSize = 500;

export function createStreamDeletion(deps: StreamDeletionDeps) {
  const { database, clock } = deps;
  const { query } = database;
  const rows = createStreamRows(deps);

  /** The stream is hidden, and whoever runs it may write for a moment more: then its row cannot be deleted, and all is looked for again. */
  const deleteStream = async (stream: Selectable<Schema['stream']>): Promise<StreamReceipt> => {
    const { account_id: accountId, id } = stream;
    let receipt: StreamReceipt = { tracks: 0, files: 0, bytes: 0 };
    for (;;) {
      const tracks = await query
        .selectFrom('stream_track')
        .select('id')
        .where('account_id', '=', accountId)
        .where('stream_id', '=', id)
        .orderBy('started_at')
        .limit(batchSize)
        .execute();
      if (tracks.length > 0) {
        const removed = await removeTracks(
          deps,
          accountId,
          tracks.map((row) => row.id),
        );
        receipt = {
          tracks: receipt.tracks + tracks.length,
          files: receipt.files + removed.files,
          bytes: receipt.bytes + removed.bytes,
        };
        continue;
      }
      await removeEvents(database, accountId, id);
      const isEmpty = sql<boolean>`not exists (select 1 from stream_track where account_id = ${accountId} and stream_id = ${id})
        and not exists (select 1 from stream_event where account_id = ${accountId} and stream_id = ${id})`;
      const ofStream = (table: 'stream_state' | 'stream_preview'): Compilable =>
        query.deleteFrom(table).where('account_id', '=', accountId).where('stream_id', '=', id);
      const removal = database.write([
        ofStream('stream_state'),
        ofStream('stream_preview'),
        query.deleteFrom('stream').where('account_id', '=', accountId).where('id', '=', id).where(isEmpty),
      ]);
      await removal.catch(unlessNamed);
      if (await isGone(accountId, id)) return receipt;
    }
  };

  const isGone = async (accountId: number, id: number) =>
    (await query
      .selectFrom('stream')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst()) === undefined;

  return {
    /** Hidden at once: whoever runs it stops. A deletion that is interrupted is completed by `finish`. */
    removeStream: (accountId: number, id: number): Promise<StreamReceipt> =>
      rows.remove(accountId, id, deleteStream),
    /**
     * Completes deletions that were interrupted; returns how many.
     * @param hiddenForMs only those that are hidden for so long; all unless given
     */
    finish: (hiddenForMs: number = 0): Promise<number> =>
      rows.finishRemovals(deleteStream, { hiddenBefore: clock() - hiddenForMs }),
  };
}

/** Events of a stream that belong to no track. */
async function removeEvents(
  { query, write }: Pick<Database, 'query' | 'write'>,
  accountId: number,
  streamId: number,
): Promise<void> {
  for (;;) {
    const batch = await query
      .selectFrom('stream_event')
      .select('seq')
      .where('account_id', '=', accountId)
      .where('stream_id', '=', streamId)
      .orderBy('seq')
      .limit(batchSize)
      .execute();
    if (batch.length === 0) return;
    const seqs = batch.map(({ seq }) => seq);
    await write([
      query.deleteFrom('stream_event').where('account_id', '=', accountId).where('seq', 'in', seqs),
    ]);
  }
}
