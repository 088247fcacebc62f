import { readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { DataFolder } from '../data-folder.js';
import { syncFolder, writeDurably } from '../durable-folder.js';
import { StorageError } from '../storage-error.js';

const markerSchema = Type.Object({
  startedMs: Type.Number(),
  /** What is restored, for messages. */
  source: Type.String(),
  /** Where what is replaced goes, below the data folder. */
  asideDir: Type.String({ pattern: '^backups/replaced-[0-9A-Za-z-]+$' }),
  entries: Type.Array(
    Type.Object({
      /** Below the data folder, the restoring folder and the aside folder alike. */
      path: Type.String({ pattern: '^[a-z][a-z.-]*(/[a-z][a-z.-]*)?$' }),
      hasNew: Type.Boolean(),
      hadOld: Type.Boolean(),
    }),
  ),
  /** Null: the database is among the entries, or stays as it is. */
  postgres: Type.Union([
    Type.Null(),
    Type.Object({
      /** Null until the database is about to be changed: an undo then leaves it alone. */
      loading: Type.Union([
        Type.Null(),
        Type.Object({
          /** Of the database that is replaced, below the data folder; null when it had no tables. */
          replacedDump: Type.Union([
            Type.Null(),
            Type.String({ pattern: '^backups/replaced-[0-9A-Za-z-]+/lynceus\\.dump$' }),
          ]),
        }),
      ]),
    }),
  ]),
});

/** A restore that has begun to change the data folder. Together with what is where, it says what is left to do. */
export type RestoreMarker = Static<typeof markerSchema>;

/** Null when no restore is in progress. */
export async function readRestoreMarker(
  folder: Pick<DataFolder, 'restoreMarkerPath'>,
): Promise<RestoreMarker | null> {
  const path = folder.restoreMarkerPath;
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // Where the data folder is a file, whoever opens it says so.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw new StorageError('access', `${path} cannot be read (${error.message}).`, { cause: error });
  });
  if (text === null) return null;
  try {
    return Value.Parse(markerSchema, JSON.parse(text));
  } catch (error) {
    throw new StorageError(
      'damaged',
      `${path} is damaged. What a restore replaced is in the newest folder backups/replaced-…: put it back by hand, then delete this file.`,
      { cause: error },
    );
  }
}

export async function writeRestoreMarker(
  folder: Pick<DataFolder, 'restoreMarkerPath'>,
  marker: RestoreMarker,
): Promise<void> {
  await writeDurably(folder.restoreMarkerPath, `${JSON.stringify(marker)}\n`);
}

export async function removeRestoreMarker(folder: Pick<DataFolder, 'restoreMarkerPath'>): Promise<void> {
  await rm(folder.restoreMarkerPath, { force: true });
  await syncFolder(dirname(folder.restoreMarkerPath));
}

/** Throws while a restore is in progress: half of the folder may be of another time. */
export async function refuseDuringRestore(
  folder: Pick<DataFolder, 'dir' | 'restoreMarkerPath'>,
): Promise<void> {
  const marker = await readRestoreMarker(folder);
  if (marker === null) return;
  throw new StorageError(
    'locked',
    `The restore of ${marker.source} into the data folder ${folder.dir} was interrupted. ` +
      'Finish it with: npm run -s lynceus -- restore --finish, or return to what was there before with: restore --undo.',
  );
}
