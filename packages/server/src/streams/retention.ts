import type { Clock } from '../core/clock.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';
import { createMedia, type Media } from './media.js';
import { removeTracks } from './remove-tracks.js';
import { readStreamSettings } from './stream-settings.js';

interface RetentionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly files: BlobStore;
  /** Days for which tracks are kept after their end, where their stream says nothing else. */
  readonly eventDays: number;
  /** Bytes of the snapshots and clips of an account; 0: no limit. */
  readonly maxMediaBytes: number;
}

const dayMs = 86_400_000;
/** Tracks, events or files in one unit. */
const batchSize = 300;
/** For who looks how many frames were analysed. */
const frameDays = 400;

/** Deletes tracks with events and files whose time is over, and of what is too much the oldest clips, then the oldest snapshots. */
export async function sweepStreams(deps: RetentionDeps): Promise<void> {
  const { database, clock } = deps;
  const { query } = database;
  const media = createMedia(deps);
  const streams = await query.selectFrom('stream').select(['account_id', 'id', 'settings']).execute();
  for (const { account_id, id, settings } of streams) {
    const { keepDays } = readStreamSettings(settings);
    const beforeMs = clock() - (keepDays ?? deps.eventDays) * dayMs;
    await removeOldTracks({ ...deps, media }, account_id, id, beforeMs);
    await removeOldEvents(database, account_id, id, beforeMs);
  }
  if (deps.maxMediaBytes > 0) await removeExcessMedia(database, media, deps.maxMediaBytes);
  const firstDay = new Date(clock() - frameDays * dayMs).toISOString().slice(0, 10);
  await database.write([query.deleteFrom('stream_frames').where('day', '<', firstDay)]);
}

type TracksDeps = Parameters<typeof removeTracks>[0];

/** Those that ended before a moment. */
async function removeOldTracks(
  deps: TracksDeps,
  accountId: number,
  streamId: number,
  beforeMs: number,
): Promise<void> {
  for (;;) {
    const tracks = await deps.database.query
      .selectFrom('stream_track')
      .select('id')
      .where('account_id', '=', accountId)
      .where('stream_id', '=', streamId)
      // Beside the exact condition, one that an index can use.
      .where('started_at', '<', beforeMs)
      .where('ended_at', '<', beforeMs)
      .where('deleted_at', 'is', null)
      .orderBy('started_at')
      .limit(batchSize)
      .execute();
    if (tracks.length === 0) return;
    await removeTracks(
      deps,
      accountId,
      tracks.map(({ id }) => id),
    );
  }
}

/** Those that belong to no track. */
async function removeOldEvents(
  { query, write }: Pick<Database, 'query' | 'write'>,
  accountId: number,
  streamId: number,
  beforeMs: number,
): Promise<void> {
  await write([
    query
      .deleteFrom('stream_event')
      .where('account_id', '=', accountId)
      .where('stream_id', '=', streamId)
      .where('track_id', 'is', null)
      .where('at', '<', beforeMs),
  ]);
}

async function removeExcessMedia(
  { query }: Pick<Database, 'query'>,
  media: Media,
  maxBytes: number,
): Promise<void> {
  const full = await query
    .selectFrom('media_blob')
    .select('account_id as accountId')
    .select((row) => row.fn.sum<number | string>('size_bytes').as('bytes'))
    .where('kind', 'in', ['clip', 'snapshot'])
    .groupBy('account_id')
    .having((row) => row.fn.sum('size_bytes'), '>', maxBytes)
    .execute();
  for (const { accountId, bytes } of full) {
    let excess = Number(bytes) - maxBytes;
    for (const kind of ['clip', 'snapshot'] as const) {
      while (excess > 0) {
        const removed = await removeOldest({ query }, media, { accountId, kind, bytes: excess });
        if (removed === 0) break;
        excess -= removed;
      }
    }
  }
}

/** Files of tracks that have ended, as many as needed, and at most a batch. Answers their bytes. */
async function removeOldest(
  { query }: Pick<Database, 'query'>,
  media: Media,
  {
    accountId,
    kind,
    bytes,
  }: { readonly accountId: number; readonly kind: 'clip' | 'snapshot'; readonly bytes: number },
): Promise<number> {
  const oldest = await query
    .selectFrom('media_blob')
    .innerJoin('stream_track', 'stream_track.id', 'media_blob.track_id')
    .select(['media_blob.blob_id as id', 'media_blob.size_bytes as size', 'stream_track.id as trackId'])
    .where('media_blob.account_id', '=', accountId)
    .where('media_blob.kind', '=', kind)
    .where('stream_track.ended_at', 'is not', null)
    .orderBy('media_blob.created_at')
    .orderBy('media_blob.blob_id')
    .limit(batchSize)
    .execute();
  const taken: typeof oldest = [];
  let sum = 0;
  for (const file of oldest) {
    if (sum >= bytes) break;
    taken.push(file);
    sum += file.size;
  }
  if (taken.length === 0) return 0;
  const ids = taken.map(({ id }) => id);
  const column = kind === 'clip' ? 'clip_id' : 'snapshot_id';
  await media.remove(accountId, ids, [
    query
      .updateTable('stream_track')
      .set({ [column]: null })
      .where(
        'id',
        'in',
        taken.map(({ trackId }) => trackId),
      )
      .where(column, 'in', ids),
  ]);
  return sum;
}
