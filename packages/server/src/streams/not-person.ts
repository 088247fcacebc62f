import { ServiceError } from '../core/service-error.js';
import type { Correction } from '../faces/corrections.js';
import type { FaceDatabase } from '../faces/face-database.js';
import { withFile } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';
import type { Media } from './media.js';
import { readDetails, type Track, type Tracks } from './tracks.js';

export interface Refused {
  readonly track: Track;
  /** What is remembered of the face; null where nothing is. */
  readonly correction: Correction | null;
  /** Why nothing is remembered. */
  readonly reason: string | null;
}

/**
 * "This is not X": takes the name from a track, whose stream gives it that name no more, and remembers the face of its snapshot as a
 * correction of the person. Throws `not_found`, and `conflict` for a track without a name.
 */
export type RefusePerson = (accountId: number, trackId: string, signal: AbortSignal) => Promise<Refused>;

interface RefusePersonDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly tracks: Pick<Tracks, 'read'>;
  readonly media: Pick<Media, 'files'>;
  readonly faces: Pick<FaceDatabase, 'people' | 'perceptions' | 'disputes'>;
}

export function createRefusePerson({ database, tracks, media, faces }: RefusePersonDeps): RefusePerson {
  const { query } = database;

  /** False where the track was changed since it was read. */
  const removeName = async (accountId: number, trackId: string, personId: number): Promise<boolean> => {
    const row = await query
      .selectFrom('stream_track')
      .select('details')
      .where('account_id', '=', accountId)
      .where('id', '=', trackId)
      .executeTakeFirst();
    if (!row) return false;
    const details = readDetails(row);
    const refused = [...new Set([...(details.refused ?? []), personId])];
    const [changed] = await database.write([
      query
        .updateTable('stream_track')
        .set({
          person_id: null,
          person_name: null,
          person_score: null,
          details: JSON.stringify({ ...details, refused }),
        })
        .where('account_id', '=', accountId)
        .where('id', '=', trackId)
        .where('person_id', '=', personId)
        .where('details', '=', row.details)
        .where('deleted_at', 'is', null),
    ]);
    return changed?.changes === 1;
  };

  const remember = async (
    accountId: number,
    { snapshotId, box, width, height }: Track,
    personId: number,
    signal: AbortSignal,
  ): Promise<Correction | null> => {
    if (snapshotId === null) return null;
    const person = await faces.people.read(accountId, personId);
    const perception = await faces.perceptions.read(accountId, person.perceptionId);
    const within = {
      xMin: box.x_min / width,
      yMin: box.y_min / height,
      xMax: box.x_max / width,
      yMax: box.y_max / height,
    };
    return withFile(media.files, snapshotId, (path) =>
      faces.disputes.byFace(accountId, perception, person, {
        source: { kind: 'file', path },
        signal,
        within,
      }),
    );
  };

  return async (accountId, trackId, signal) => {
    for (;;) {
      const track = await tracks.read(accountId, trackId);
      if (track.person === null)
        throw new ServiceError('conflict', `track ${trackId} has no name that could be wrong`);
      const personId = track.person.id;
      if (!(await removeName(accountId, trackId, personId))) continue;
      const outcome = await remember(accountId, track, personId, signal).then(
        (correction) => ({
          correction,
          reason: correction === null ? 'there is no snapshot of this object with a face' : null,
        }),
        (error: unknown) => {
          // The name is gone, which is what was asked for first.
          if (!(error instanceof ServiceError)) throw error;
          return { correction: null, reason: error.message };
        },
      );
      return { track: { ...track, person: null }, ...outcome };
    }
  };
}
