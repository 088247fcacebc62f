import { randomUUID } from 'node:crypto';
import { ownedUuid } from '#server/storage/blobs/owned-id.js';
import type { Database } from '#server/storage/database.js';
import type { StreamEventData, TrackDetails } from '#server/streams/event-data.js';
import { defaultStreamSettings } from '#server/streams/stream-settings.js';

/** How much cameras saw. */
export interface StreamScale {
  readonly streams: number;
  /** Of all streams together; each has three events. */
  readonly tracks: number;
}

export const fullStreamScale: StreamScale = { streams: 32, tracks: 50_000 };

/** Ids of the created records, for requesting their lists. */
export const seededStreams = { streamId: 1001, zone: 'gate' } as const;

const unitRows = 250;
const labels = ['person', 'car', 'dog', 'bicycle'] as const;
const kinds = ['start', 'zone_entered', 'end'] as const;
const source = {
  ...{ kind: 'rtsp', address: 'rtsp://192.168.1.20/stream1', username: null, hasPassword: false },
  ...{ transport: 'tcp', device: null, videoId: null, certificateUnchecked: false, substream: null },
};
const box = { x_min: 320, y_min: 90, x_max: 480, y_max: 270 };
const frame = { box, width: 1280, height: 720 };
const zones = [seededStreams.zone];

/** Fills an account with cameras of weeks, and what they saw. They are disabled, and no files are created: no list reads them. */
export async function seedStreams(
  { query, write }: Pick<Database, 'query' | 'write'>,
  accountId: number,
  { streams, tracks }: StreamScale,
): Promise<void> {
  const account_id = accountId;
  const now = Date.now();
  await write([
    query.insertInto('stream').values(
      Array.from({ length: streams }, (_, at) => ({
        ...{ account_id, id: seededStreams.streamId + at, uid: randomUUID(), name: `Camera ${at}` },
        ...{ source: JSON.stringify(source), sealed_secrets: null, is_enabled: 0 as const, revision: 1 },
        ...{ settings: JSON.stringify(defaultStreamSettings), created_at: now, deleted_at: null },
      })),
    ),
  ]);
  for (let from = 0; from < tracks; from += unitRows) {
    const rows = Array.from({ length: Math.min(unitRows, tracks - from) }, (_, nth) => {
      const at = from + nth;
      const started_at = now - (tracks - at) * 20_000;
      const details: TrackDetails = { ...frame, currentZones: [], enteredZones: zones, texts: [], events: 3 };
      return {
        ...{ id: ownedUuid(accountId), account_id, stream_id: seededStreams.streamId + (at % streams) },
        ...{ label: labels[at % labels.length] ?? 'person', score: 0.8, top_score: 0.9, started_at },
        ...{ last_seen_at: started_at + 4000, ended_at: started_at + 4000, is_stationary: 0 as const },
        ...{ person_id: null, person_name: null, person_score: null, snapshot_id: null, clip_id: null },
        ...{ details: JSON.stringify(details), deleted_at: null },
      };
    });
    await write([
      query.insertInto('stream_track').values(rows),
      query.insertInto('stream_event').values(
        rows.flatMap(({ id, stream_id, label, started_at }, nth) =>
          kinds.map((kind, part) => ({
            ...{ account_id, seq: 1001 + (from + nth) * kinds.length + part, stream_id, track_id: id, kind },
            at: started_at + part * 2000,
            data: JSON.stringify(dataOf({ id, label, started_at }, kind)),
          })),
        ),
      ),
    ]);
  }
}

function dataOf(
  track: { readonly id: string; readonly label: string; readonly started_at: number },
  kind: (typeof kinds)[number],
): StreamEventData {
  const hasEnded = kind === 'end';
  const seenAt = new Date(track.started_at).toISOString();
  return {
    ...{ track_id: track.id, label: track.label, score: 0.8, top_score: 0.9, ...frame },
    ...{ velocity: { x: 0, y: 0 }, stationary: false, current_zones: [] },
    ...{ entered_zones: kind === 'start' ? [] : zones, person: null, texts: [] },
    ...{ started_at: seenAt, last_seen_at: seenAt, ended_at: hasEnded ? seenAt : null },
    ...(kind === 'zone_entered' ? { zone: seededStreams.zone } : {}),
    ...{ has_snapshot: false, has_clip: false },
  };
}
