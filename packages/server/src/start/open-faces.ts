import type { Clock } from '../core/clock.js';
import type { Component } from '../core/lifecycle.js';
import type { Logger } from '../core/logger.js';
import type { Metrics } from '../core/metrics.js';
import type { Settings } from '../core/settings.js';
import { type FaceDatabase, openFaceDatabase } from '../faces/face-database.js';
import { openFaceIndex } from '../faces/index/open-face-index.js';
import { embedderOf, type LookDeps } from '../faces/look-at-faces.js';
import { createFaceNaming } from '../faces/name-faces.js';
import { createStoredGalleries, type DamageListener } from '../faces/stored-galleries.js';
import type { FaceNaming } from '../recognition/name-faces.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';
import type { DiskGuard } from '../storage/disk-guard.js';
import { createFacesComponent } from './faces-component.js';

export interface OpenFacesDeps extends LookDeps {
  readonly settings: Pick<
    Settings,
    | 'faceChain'
    | 'faceIndex'
    | 'faceIndexMaxMb'
    | 'databaseUrl'
    | 'maxImageBytes'
    | 'accountMaxFaces'
    | 'accountMaxFaceBytes'
  >;
  readonly database: Database;
  readonly clock: Clock;
  readonly installationKey: Uint8Array;
  readonly imageFiles: BlobStore;
  readonly disk: Pick<DiskGuard, 'require'>;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'faceIndex'>;
}

/** Puts the face database together with its index, and tells logs and metrics what becomes of it. */
export async function openFaces(deps: OpenFacesDeps): Promise<{
  readonly faces: FaceDatabase;
  readonly faceNaming: FaceNaming;
  readonly facesComponent: Component;
}> {
  const { settings, database, logger, metrics, installedModel } = deps;
  const { faceChain, faceIndex, maxImageBytes } = settings;
  const onDamaged: DamageListener = ({ accountId, perceptionId }, imageId, reason) =>
    logger.error(
      { accountId, perceptionId, imageId, reason },
      'a face is not searched: its vector is damaged',
    );
  const stored = createStoredGalleries({ database, onDamaged });
  const maxBytes = settings.faceIndexMaxMb * 1024 * 1024;
  const index = await openFaceIndex({
    database,
    stored,
    isPostgres: settings.databaseUrl !== '',
    faceIndex,
    maxBytes,
    onThreadCrashed: (error) => logger.error({ err: error }, 'the thread of the face index crashed'),
    onDamaged,
    onLoaded: metrics.faceIndex.observeLoad,
    onSearch: metrics.faceIndex.observeSearch,
  });
  metrics.faceIndex.watch(() => index.stats());
  const faces = await openFaceDatabase({ ...deps, faceChain, maxImageBytes, limits: settings, index });
  const faceNaming = createFaceNaming({
    ...faces,
    embedder: embedderOf(faceChain, installedModel),
    onLeftOut: (accountId, { id, embedder }) =>
      logger.warn(
        { accountId, perceptionId: id, embedder },
        'the perception names no faces: its images are described by another embedder than faceChain has',
      ),
  });
  const facesComponent = createFacesComponent({
    faces,
    stored,
    maxBytes,
    onFailure: (error) => logger.warn({ err: error }, 'face vectors were not read ahead'),
  });
  return { faces, faceNaming, facesComponent };
}
