import type { FaceChainName } from '@lynceus/engine';
import type { Clock } from '../core/clock.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';
import type { DiskGuard } from '../storage/disk-guard.js';
import type { ProcessLeases } from '../storage/leases/process-leases.js';
import { deriveKey } from '../storage/secrets/derive-key.js';
import type { KeyRing } from '../storage/secrets/key-ring.js';
import { type ExportOptions, exportPerception } from './archive/export-perception.js';
import { type ImportOptions, type ImportReceipt, importPerception } from './archive/import-perception.js';
import { createCompareFaces, createCompareWithImage } from './compare-faces.js';
import { createCorrections } from './corrections.js';
import { createDeletion } from './deletion.js';
import { createDisputes } from './disputes.js';
import { embedderOf, figuresOf } from './embedder-figures.js';
import { createEnrolment } from './enrolment.js';
import { createFaceImages } from './face-images.js';
import { createFaceQuota, type FaceLimits } from './face-quota.js';
import { followEmbedder } from './follow-embedder.js';
import { createImageLinks } from './image-links.js';
import type { FaceIndex } from './index/face-index.js';
import { createLookAtFaces, isInstalled, type LookDeps } from './look-at-faces.js';
import { createPeople } from './people.js';
import type { Perception } from './perception.js';
import { createPerceptions } from './perceptions.js';
import { createProposeCalibration } from './propose-calibration.js';
import { createRegrouping } from './regrouping.js';
import { createFaceSearch } from './search.js';

/** Perceptions, their people, the images of their faces, and what is done with them. */
export type FaceDatabase = Awaited<ReturnType<typeof openFaceDatabase>>;

interface FaceDatabaseDeps extends LookDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly leases: ProcessLeases;
  readonly index: FaceIndex;
  readonly imageFiles: BlobStore;
  /** Of which links to images are signed. */
  readonly installationKeys: KeyRing;
  /** Of new perceptions. */
  readonly faceChain: FaceChainName;
  readonly limits: FaceLimits;
  /** Of which imports, people and corrections leave the reserve; `images` are guarded by themselves. */
  readonly disk: Pick<DiskGuard, 'require'>;
  /** Of an image in an archive. */
  readonly maxImageBytes: number;
}

export async function openFaceDatabase(deps: FaceDatabaseDeps) {
  const { database, clock, index, imageFiles, faceChain, installedModel, leases } = deps;
  const lookAtFaces = createLookAtFaces(deps);
  const quota = createFaceQuota(deps);
  const people = createPeople({ database, clock, quota });
  const images = createFaceImages({ database, clock, people });
  const corrections = createCorrections({ database, clock, quota });
  const embedder = embedderOf(faceChain, installedModel);
  const perceptions = createPerceptions({ database, clock, embedder });
  const deletion = createDeletion({ database, clock, index, imageFiles, leases });
  const importing = {
    quota,
    database,
    clock,
    perceptions,
    corrections,
    deletion,
    leases,
    imageFiles,
    lookAtFaces,
    embedder,
    isInstalled: (name: string) => isInstalled(name, installedModel),
    dimensionsOf: (name: string) => figuresOf(name).dimensions,
    maxImageBytes: deps.maxImageBytes,
  };
  const enrolment = createEnrolment({
    lookAtFaces,
    people,
    images,
    index,
    imageFiles,
    quota,
    commit: (statements) => database.write(statements),
  });
  return {
    perceptions,
    people,
    images,
    corrections,
    disputes: createDisputes({ database, lookAtFaces, images, corrections }),
    regrouping: createRegrouping({ database, clock, people, images }),
    enrolment: { ...enrolment, add: followEmbedder(enrolment.add, perceptions) },
    search: createFaceSearch({
      database,
      lookAtFaces,
      people,
      images,
      corrections,
      index,
    }),
    compare: createCompareFaces(lookAtFaces, embedder),
    compareWithImage: createCompareWithImage({ database, lookAtFaces }),
    proposeCalibration: createProposeCalibration(database),
    deletion,
    /** One archive of everything in a perception, piece by piece. */
    exportPerception: (
      accountId: number,
      perception: Perception,
      options?: ExportOptions,
    ): AsyncIterable<Uint8Array> =>
      exportPerception({ database, imageFiles }, accountId, perception, options),
    importPerception: (
      accountId: number,
      archive: AsyncIterable<Uint8Array>,
      options: ImportOptions,
    ): Promise<ImportReceipt> => importPerception(importing, accountId, archive, options),
    links: createImageLinks({
      secrets: deps.installationKeys.map((key) => deriveKey(key, 'face image links')),
      clock,
    }),
    /** Of face images, by `blobId`. */
    imageFiles,
    index,
    leases,
  };
}
