import type { Readable } from 'node:stream';
import type { Box, ModelRunner } from '@lynceus/engine';
import { toServiceError } from '../core/engine-errors.js';
import { ServiceError } from '../core/service-error.js';
import { type BlobPart, withFile } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';
import type { Media } from './media.js';
import type { Track } from './tracks.js';

/** A file of media that can be sent in parts. */
interface TrackFile {
  readonly id: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Null where it is there no longer. */
  readonly read: (part: BlobPart) => Promise<Readable | null>;
}

/** How a snapshot is drawn. */
interface SnapshotView {
  /** The object alone, with a little around it. */
  readonly isCropped: boolean;
  /** With its box and class. */
  readonly hasBox: boolean;
  /** Of the longer side; as large as it is unless given. */
  readonly maxSidePx?: number | undefined;
  /** Of the JPEG, 1 to 100. */
  readonly quality?: number | undefined;
}

/** Snapshots and clips of tracks. Throws `not_found` where there is none. */
export type TrackFiles = ReturnType<typeof createTrackFiles>;

interface TrackFilesDeps {
  readonly database: Pick<Database, 'query'>;
  readonly media: Pick<Media, 'files'>;
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly maxPixels: number;
}

/** Around a cropped object, as a fraction of its size. */
const cropMargin = 0.1;
const largestSidePx = 8192;
const usualQuality = 85;

export function createTrackFiles({ database, media, runner, maxPixels }: TrackFilesDeps) {
  const { query } = database;
  const find = async (accountId: number, id: string | null, what: string): Promise<TrackFile> => {
    const row =
      id === null
        ? undefined
        : await query
            .selectFrom('media_blob')
            .select(['blob_id as id', 'media_type as mediaType', 'size_bytes as sizeBytes'])
            .where('blob_id', '=', id)
            .where('account_id', '=', accountId)
            .executeTakeFirst();
    if (!row) throw new ServiceError('not_found', `there is no ${what} of this object`);
    return { ...row, read: (part) => media.files.readPart(row.id, part) };
  };
  const snapshot = (accountId: number, { snapshotId }: Track) => find(accountId, snapshotId, 'snapshot');

  return {
    snapshot,
    clip: (accountId: number, { clipId }: Track): Promise<TrackFile> => find(accountId, clipId, 'clip'),

    /** As JPEG. */
    async drawSnapshot(
      accountId: number,
      track: Track,
      view: SnapshotView,
      signal: AbortSignal,
    ): Promise<Uint8Array> {
      const { id } = await snapshot(accountId, track);
      const { isCropped, hasBox, maxSidePx = largestSidePx, quality = usualQuality } = view;
      const box = toBox(track);
      const title = track.person?.name ?? track.label;
      const options = {
        maxSidePx,
        quality,
        marks: hasBox ? [{ box, title, group: track.label, note: track.topScore.toFixed(2) }] : [],
        ...(isCropped
          ? { crop: { box: withMargin(box), imageSidePx: Math.max(track.width, track.height) } }
          : {}),
      };
      const drawn = await withFile(media.files, id, (path) =>
        runner.analyse(
          { source: { kind: 'file', path }, limits: { maxPixels }, tasks: [{ task: 'draw', options }] },
          { priority: 'interactive', owner: String(accountId), signal },
        ),
      ).catch((error: unknown) => {
        throw toServiceError(error);
      });
      if (!drawn?.results.draw) throw new ServiceError('not_found', 'there is no snapshot of this object');
      return drawn.results.draw.jpeg;
    },
  };
}

function toBox({ box }: Track): Box {
  return { xMin: box.x_min, yMin: box.y_min, xMax: box.x_max, yMax: box.y_max };
}

function withMargin({ xMin, yMin, xMax, yMax }: Box): Box {
  const [dx, dy] = [(xMax - xMin) * cropMargin, (yMax - yMin) * cropMargin];
  return { xMin: xMin - dx, yMin: yMin - dy, xMax: xMax + dx, yMax: yMax + dy };
}
