import { createHash } from 'node:crypto';
import type { PictureSource, Priority } from '@lynceus/engine';
import { readPictureContent } from '../intake/picture-content.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import { ownedUuid } from '../storage/blobs/owned-id.js';
import type { Database } from '../storage/database.js';
import { StorageError } from '../storage/storage-error.js';
import { type Dataset, maxPictures, type PictureLabel, type Split } from './dataset.js';
import { toFileName } from './file-name.js';
import { Fingerprints } from './fingerprints.js';
import type { Labels } from './labels.js';
import type { LookAtPicture, RefusedPicture, SeenPicture } from './look-at-picture.js';
import { type NoRoom, openPictureRoom, type PictureRoomDeps } from './picture-room.js';
import type { Pictures } from './pictures.js';

export interface GivenPicture {
  readonly fileName: string;
  readonly source: PictureSource;
  readonly split: Split | null;
  /** What it shows, once its size is known; null when nobody says. */
  readonly label: (size: Pick<SeenPicture, 'width' | 'height'>) => readonly PictureLabel[] | null;
}

export type AddedPicture =
  | {
      readonly outcome: 'added';
      readonly pictureId: number;
      /** A picture that looks nearly the same. */
      readonly nearTo: number | null;
    }
  /** The dataset has these very bytes. */
  | {
      readonly outcome: 'duplicate';
      readonly pictureId: number;
      /** Whether that picture had no labels before and has these now. */
      readonly isLabelledNow: boolean;
    }
  | {
      readonly outcome: 'refused';
      readonly problem: RefusedPicture['problem'] | NoRoom['problem'] | 'dataset-full';
      readonly message: string;
    };

/** Adds pictures to one dataset, of which it knows the fingerprints; several may be added at once. */
export interface Adding {
  add(given: GivenPicture, options: AddOptions): Promise<AddedPicture>;
}
export interface AddOptions {
  readonly priority: Priority;
  readonly signal: AbortSignal;
}

export interface AddingDeps extends PictureRoomDeps {
  readonly database: Database;
  readonly pictures: Pictures;
  readonly labels: Labels;
  readonly blobs: Pick<BlobStore, 'write' | 'remove'>;
  readonly lookAtPicture: LookAtPicture;
}

/** Rows that are read at once. */
const readAtOnce = 2000;

export async function openAdding(deps: AddingDeps, accountId: number, dataset: Dataset): Promise<Adding> {
  const { pictures, labels, blobs, lookAtPicture } = deps;
  const known = await readFingerprints(deps.database, accountId, dataset.id);
  const room = openPictureRoom(deps, accountId);

  const toDuplicate = async (given: GivenPicture, sha256: string): Promise<AddedPicture | null> => {
    const kept = await pictures.withBytes(accountId, dataset.id, sha256);
    if (kept === null) return null;
    const wanted = kept.isLabelled ? null : given.label(kept);
    // Labels that somebody gives it at this moment stay.
    const isLabelledNow =
      wanted !== null && (await labels.set(accountId, dataset, kept, wanted, [kept.labelsRevision]));
    return { outcome: 'duplicate', pictureId: kept.id, isLabelledNow };
  };

  return {
    async add(given, options) {
      const sha256 = await hashPicture(given.source);
      const duplicate = await toDuplicate(given, sha256);
      if (duplicate) return duplicate;
      if (known.ids.length >= maxPictures) {
        const message = `a dataset has ${maxPictures} pictures at most`;
        return { outcome: 'refused', problem: 'dataset-full', message };
      }
      const noRoom = await room.refusal();
      if (noRoom) return { outcome: 'refused', ...noRoom };
      const seen = await lookAtPicture(given.source, { ...options, owner: String(accountId) });
      if ('problem' in seen) return { outcome: 'refused', ...seen };
      const wanted = given.label(seen);
      const near = known.fingerprints.nearest(seen.fingerprint);
      const nearTo = near === null ? null : (known.ids[near.index] ?? null);
      const blobId = ownedUuid(accountId);
      const bytes = await blobs.write(blobId, readPictureContent(given.source));
      try {
        const pictureId = await pictures.add(accountId, dataset.id, {
          ...{ fileName: toFileName(given.fileName), blobId, bytes, sha256 },
          ...{ kind: seen.kind, width: seen.width, height: seen.height, fingerprint: seen.fingerprint },
          ...{ split: given.split, isLabelled: wanted !== null, labels: wanted ?? [] },
        });
        known.ids.push(pictureId);
        known.fingerprints.push(seen.fingerprint);
        room.take(bytes);
        return { outcome: 'added', pictureId, nearTo };
      } catch (error) {
        // A lost unit may be on disk: then its picture must be too. One that no row names is swept later.
        if (!(error instanceof StorageError && error.code === 'lost')) await blobs.remove(blobId);
        if (!(error instanceof StorageError) || error.code !== 'unique') throw error;
        // Somebody else added it in between.
        const now = await toDuplicate(given, sha256);
        if (!now) throw error;
        return now;
      }
    },
  };
}

async function readFingerprints({ query }: Pick<Database, 'query'>, accountId: number, datasetId: number) {
  const [ids, fingerprints]: [number[], Fingerprints] = [[], new Fingerprints()];
  for (;;) {
    const rows = await query
      .selectFrom('dataset_picture')
      .select(['id', 'fingerprint'])
      .where('account_id', '=', accountId)
      .where('dataset_id', '=', datasetId)
      .where('id', '>', ids.at(-1) ?? 0)
      .orderBy('id')
      .limit(readAtOnce)
      .execute();
    for (const { id, fingerprint } of rows) {
      ids.push(id);
      fingerprints.push(fingerprint);
    }
    if (rows.length < readAtOnce) return { ids, fingerprints };
  }
}

async function hashPicture(source: PictureSource): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of readPictureContent(source)) hash.update(piece);
  return hash.digest('hex');
}
