import { createHash } from 'node:crypto';
import type { ImageSource, Priority } from '@lynceus/engine';
import type { Compilable } from 'kysely';
import { readImageContent } from '../../intake/image-content.js';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import { ownedUuid } from '../../storage/blobs/owned-id.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import { type Dataset, type DatasetImage, type ImageLabel, maxImages, type Split } from './dataset.js';
import { toFileName } from './file-name.js';
import { Fingerprints } from './fingerprints.js';
import { type ImageQuotaDeps, openImageQuota, type QuotaRefusal } from './image-quota.js';
import type { Images, NewImage } from './images.js';
import type { Labels } from './labels.js';
import type { LookAtImage, RefusedImage, SeenImage } from './look-at-image.js';

interface GivenLabels {
  /** Null when nobody says. */
  readonly labels: readonly ImageLabel[] | null;
  /** Whether the image may show more than they say; absent: it does not. */
  readonly isPartial?: boolean;
}

export interface ImageInput {
  readonly fileName: string;
  readonly source: ImageSource;
  readonly split: Split | null;
  /** What it shows, once its size is known. Called for a duplicate too. */
  readonly label: (seen: Pick<SeenImage, 'width' | 'height' | 'orientation'>) => GivenLabels;
  /** Whether the labels depend on the orientation, which is found by looking at the image and is not stored. */
  readonly needsOrientation?: boolean;
}

export type AddedImage =
  | {
      readonly outcome: 'added';
      readonly imageId: number;
      /** An image that looks nearly the same. */
      readonly nearTo: number | null;
    }
  /** The dataset has these very bytes. */
  | {
      readonly outcome: 'duplicate';
      readonly imageId: number;
      /** Whether that image had no labels before, or had lost some, and has these now. */
      readonly isLabelledNow: boolean;
    }
  | {
      readonly outcome: 'refused';
      readonly problem: RefusedImage['problem'] | QuotaRefusal['problem'] | 'dataset-full';
      readonly message: string;
    };

/** Adds images to one dataset, of which it knows the fingerprints; several may be added at once. */
export interface Adding {
  add(given: ImageInput, options: AddOptions): Promise<AddedImage>;
  /** The id of an image that was added before this one and looks nearly the same: what `add` said of it, unless that is deleted. */
  nearTo(image: Pick<DatasetImage, 'id' | 'fingerprint'>): number | null;
}
export interface AddOptions {
  readonly priority: Priority;
  readonly signal: AbortSignal;
  /** Id of the job that adds it; see `isRevisionOf`. */
  readonly job?: string;
  /** Of the job that adds it, at the end of each unit. */
  readonly fence?: readonly Compilable[];
}

interface AddingDeps extends ImageQuotaDeps {
  readonly database: Database;
  readonly images: Images;
  readonly labels: Labels;
  readonly blobs: Pick<BlobStore, 'write' | 'remove'>;
  readonly lookAtImage: LookAtImage;
}

/** Rows that are read at once. */
const readAtOnce = 2000;

export async function openAdding(deps: AddingDeps, accountId: number, dataset: Dataset): Promise<Adding> {
  const { images, labels, blobs, lookAtImage } = deps;
  const known = await readFingerprints(deps.database, accountId, dataset.id);
  const quota = openImageQuota(deps, accountId);

  const look = (source: ImageSource, options: AddOptions) =>
    lookAtImage(source, { ...options, owner: String(accountId) });
  /** What an image that is there already would get; null where that cannot be known any more. */
  const labelsOf = async (
    { source, label, needsOrientation = false }: ImageInput,
    kept: DatasetImage,
    options: AddOptions,
  ) => {
    const seen = needsOrientation ? await look(source, options) : { ...kept, orientation: 1 };
    return 'problem' in seen ? null : label(seen);
  };

  const toDuplicate = async (
    given: ImageInput,
    sha256: string,
    options: AddOptions,
  ): Promise<AddedImage | null> => {
    const kept = await images.withBytes(accountId, dataset.id, sha256);
    if (kept === null) return null;
    const wanted = await labelsOf(given, kept, options);
    // Labels that a user gives it at this moment stay.
    const isLabelledNow =
      wanted !== null &&
      wanted.labels !== null &&
      (!kept.isLabelled || (kept.isPartlyLabelled && completes(wanted, kept.labels))) &&
      (await labels.set(accountId, dataset, kept, wanted.labels, {
        revisions: [kept.labelsRevision],
        isPartial: wanted.isPartial,
        job: options.job,
        fence: options.fence,
      }));
    return { outcome: 'duplicate', imageId: kept.id, isLabelledNow };
  };

  const nearTo: Adding['nearTo'] = ({ id, fingerprint }) => {
    const isEarlier = (index: number) => (known.ids[index] ?? id) < id;
    const near = known.fingerprints.nearest(fingerprint, isEarlier);
    return near === null ? null : (known.ids[near.index] ?? null);
  };

  return {
    nearTo,

    async add(given, options) {
      const sha256 = await hashImage(given.source);
      const duplicate = await toDuplicate(given, sha256, options);
      if (duplicate) return duplicate;
      if (known.ids.length >= maxImages) {
        const message = `a dataset has ${maxImages} images at most`;
        return { outcome: 'refused', problem: 'dataset-full', message };
      }
      const overQuota = await quota.refusal();
      if (overQuota) return { outcome: 'refused', ...overQuota };
      const seen = await look(given.source, options);
      if ('problem' in seen) return { outcome: 'refused', ...seen };
      const wanted = given.label(seen);
      const blobId = ownedUuid(accountId);
      const bytes = await blobs.write(blobId, readImageContent(given.source));
      try {
        const row: NewImage = {
          fileName: toFileName(given.fileName),
          blobId,
          bytes,
          sha256,
          kind: seen.kind,
          width: seen.width,
          height: seen.height,
          fingerprint: seen.fingerprint,
          split: given.split,
          isLabelled: wanted.labels !== null,
          isPartlyLabelled: wanted.isPartial === true,
          labels: wanted.labels ?? [],
        };
        const imageId = await images.add(accountId, dataset.id, row, options.fence);
        known.ids.push(imageId);
        known.fingerprints.push(seen.fingerprint);
        quota.take(bytes);
        const { fingerprint } = seen;
        return { outcome: 'added', imageId, nearTo: nearTo({ id: imageId, fingerprint }) };
      } catch (error) {
        // A lost unit may be on disk: then its image must be too. One that no row names is swept later.
        if (!(error instanceof StorageError && error.code === 'lost')) await blobs.remove(blobId);
        if (!(error instanceof StorageError) || error.code !== 'unique') throw error;
        // Another request added it in between.
        const now = await toDuplicate(given, sha256, options);
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
      .selectFrom('dataset_image')
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

async function hashImage(source: ImageSource): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of readImageContent(source)) hash.update(piece);
  return hash.digest('hex');
}

/** Corners of the same box, read from two files, differ by no more than rounding does. */
const maxCornerDifferencePx = 2;

/** Whether labels are the whole of which an image has a part: other files may know less of it, or know of other classes. */
export function completes({ labels, isPartial = false }: GivenLabels, part: readonly ImageLabel[]): boolean {
  if (labels === null || isPartial) return false;
  return part.every(({ classId, box }) =>
    labels.some((label) => label.classId === classId && areAlike(label.box, box)),
  );
}

function areAlike(a: ImageLabel['box'], b: ImageLabel['box']): boolean {
  if (a === null || b === null) return a === b;
  const corners = ['xMin', 'yMin', 'xMax', 'yMax'] as const;
  return corners.every((corner) => Math.abs(a[corner] - b[corner]) <= maxCornerDifferencePx);
}
