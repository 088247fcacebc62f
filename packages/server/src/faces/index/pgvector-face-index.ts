import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { StoredGalleries } from '../stored-galleries.js';
import type { FaceIndex, GalleryRef } from './face-index.js';
import { createPgvectorStatements } from './pgvector-statements.js';
import { shareRuns } from './share-runs.js';

interface PgvectorFaceIndexOptions {
  /** PostgreSQL with the extension `vector`, or the right to make it. */
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly stored: Pick<StoredGalleries, 'position' | 'faces' | 'changesAfter'>;
  /** A gallery was read as a whole. */
  readonly onLoaded?: (faces: number, durationMs: number) => void;
}

/** Another service works on the same gallery; after that many tries in a row the search is given up. */
const maxTries = 20;

/**
 * The index of many services on one PostgreSQL: vectors in a table of the extension pgvector, searched there, exactly.
 * The table follows the list of changes as an index in memory does, whichever service comes first, so nothing but a
 * search writes it, and it may be dropped at any time.
 */
export async function openPgvectorFaceIndex(options: PgvectorFaceIndexOptions): Promise<FaceIndex> {
  const { database, stored, onLoaded } = options;
  const statements = createPgvectorStatements(database);
  // In turn, since two that make the same table at once may fail.
  await database.write(statements.makeTables(), { isSerialized: true });
  /** Galleries that are brought up to date right now. */
  const underWay = new Map<string, { readonly catchUp: () => Promise<void>; users: number }>();

  /** Reads all faces. Several services may do so side by side: each row they write is the database's. */
  const build = async (gallery: GalleryRef): Promise<'done' | 'more'> => {
    const startedAt = performance.now();
    // Read first: what changes while the faces are read is done again as a change.
    const position = await stored.position(gallery);
    if (position === null) return 'done';
    await database.write([statements.begin(gallery, position)]);
    const begun = await statements.readGallery(gallery);
    if (!begun || begun.building === 0) return 'more';
    let count = 0;
    for await (const faces of stored.faces(gallery)) {
      if (faces.length === 0) continue;
      await database.write([statements.advance(gallery, begun, begun), statements.put(gallery, faces)]);
      count += faces.length;
    }
    await database.write([statements.advance(gallery, begun, { ...begun, building: 0 })]);
    onLoaded?.(count, performance.now() - startedAt);
    return 'more';
  };

  const follow = async (gallery: GalleryRef): Promise<'done' | 'more'> => {
    const now = await statements.readGallery(gallery);
    if (!now || now.building === 1) return build(gallery);
    const changes = await stored.changesAfter(gallery, now.position);
    if (changes === null) {
      await database.write([statements.drop(gallery)]);
      return 'more';
    }
    const { position, present, gone, mayHaveMore } = changes;
    if (position === now.position) return 'done';
    await database.write([
      statements.advance(gallery, now, { position, building: 0 }),
      ...(gone.length > 0 ? [statements.remove(gallery, gone)] : []),
      ...(present.length > 0 ? [statements.put(gallery, present)] : []),
    ]);
    return mayHaveMore ? 'more' : 'done';
  };

  const bringUpToDate = async (gallery: GalleryRef): Promise<void> => {
    for (let tries = 0; tries < maxTries; ) {
      try {
        if ((await follow(gallery)) === 'done') return;
      } catch (error) {
        if (!isOvertaken(error)) throw error;
        tries += 1;
      }
    }
    throw overrun();
  };

  const catchUp = async (gallery: GalleryRef): Promise<void> => {
    const name = JSON.stringify(gallery);
    const shared = underWay.get(name) ?? { catchUp: shareRuns(() => bringUpToDate(gallery)), users: 0 };
    underWay.set(name, shared);
    shared.users += 1;
    try {
      await shared.catchUp();
    } finally {
      shared.users -= 1;
      if (shared.users === 0) underWay.delete(name);
    }
  };

  return {
    async nearestPeople(gallery, query, wanted) {
      const due = await stored.position(gallery);
      if (due === null) return [];
      for (let tries = 0; tries < maxTries; tries += 1) {
        // One statement sees the position and the faces of the same moment.
        const rows = await statements.nearest(gallery, query, wanted);
        if ((rows[0]?.position ?? -1) >= due) {
          return rows.flatMap(({ personId, imageId, cosine }) =>
            personId === null || imageId === null || cosine === null ? [] : [{ personId, imageId, cosine }],
          );
        }
        await catchUp(gallery);
      }
      throw overrun();
    },
    prepare: catchUp,
    drop: async (gallery) => {
      await database.write([statements.drop(gallery)]);
    },
    stats: () => ({ galleries: 0, faces: 0, bytes: 0 }),
    close: async () => undefined,
  };
}

/** Another service changed, finished or dropped the gallery since it was read. */
function isOvertaken(error: unknown): boolean {
  return error instanceof StorageError && ['not-null', 'constraint', 'unique'].includes(error.code);
}

function overrun(): ServiceError {
  return new ServiceError('service_busy', 'the face index is being changed by others; try again shortly');
}
