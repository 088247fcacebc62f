import { randomBytes } from 'node:crypto';
import type { FaceNaming } from '../recognition/name-faces.js';
import type { Core } from '../service/core.js';
import { type Module, plainSweep } from '../service/module.js';
import { type AccountFiles, deletableBlobs, filesNamedBy, storeFiles } from '../storage/account-files.js';
import { guardBlobs } from '../storage/blobs/guarded-blobs.js';
import { fileColumns } from '../storage/file-columns.js';
import { isNamedIn, sweptFiles } from '../storage/quarantine/swept-files.js';
import { embedderOf } from './embedder-figures.js';
import { type FaceDatabase, openFaceDatabase } from './face-database.js';
import { createFacesComponent } from './faces-component.js';
import type { FaceIndex } from './index/face-index.js';
import { createMemoryFaceIndex } from './index/memory-face-index.js';
import { openFaceIndex } from './index/open-face-index.js';
import { createFaceNaming } from './name-faces.js';
import { followRevision } from './re-embedding/follow-revision.js';
import { createReEmbedding, type ReEmbedding } from './re-embedding/re-embedding.js';
import { createStoredGalleries, type DamageListener } from './stored-galleries.js';

/** Of deletions that are under way most are younger; those of imports have a lease. */
const cutForMs = 600_000;

export interface FacesModule extends Module {
  readonly faces: FaceDatabase;
  readonly faceNaming: FaceNaming;
  readonly reEmbedding: ReEmbedding;
}

/** The face database with its index, and what logs and metrics say of it. */
export async function openFacesModule(core: Core): Promise<FacesModule> {
  const { settings, database, logger, metrics, installedModel } = core;
  const { faceChain } = settings;
  const onDamaged: DamageListener = ({ accountId, perceptionId }, imageId, reason) =>
    logger.error(
      { accountId, perceptionId, imageId, reason },
      'a face is not searched: its vector is damaged',
    );
  const stored = createStoredGalleries({ database, onDamaged });
  const maxBytes = settings.faceIndexMaxMb * 1024 * 1024;
  const indexOptions = {
    stored,
    maxBytes,
    onThreadCrashed: (error: Error) => logger.error({ err: error }, 'the thread of the face index crashed'),
    onDamaged,
    onLoaded: metrics.faceIndex.observeLoad,
  };
  const index =
    core.mode === 'command'
      ? createMemoryFaceIndex(indexOptions)
      : await openFaceIndex({
          ...indexOptions,
          database,
          isPostgres: settings.databaseUrl !== '',
          faceIndex: settings.faceIndex,
          onSearch: metrics.faceIndex.observeSearch,
        });
  metrics.faceIndex.watch(() => index.stats());
  const faces = await openFaceDatabase({
    ...core,
    ...settings,
    disk: core.imageDisk,
    limits: settings,
    index,
    // No command hands out a link to an image.
    installationKeys: core.mode === 'command' ? [randomBytes(32)] : await core.installationKeys(),
    imageFiles: guardBlobs(await core.openImages('faces', 'face'), core.imageDisk),
  });
  const reEmbedding = createReEmbedding({
    ...core,
    ...settings,
    faces,
    onChange: (gallery, event, refit) =>
      logger.info({ ...gallery, event, ...(refit && { refit }) }, 'the embedder of a perception changes'),
  });
  const { imageFiles } = faces;
  const swept = sweptFiles('faces', database, imageFiles);
  const named = filesNamedBy(database, fileColumns.faces);
  return {
    faces,
    reEmbedding,
    faceNaming: createFaceNaming({
      ...faces,
      embedder: embedderOf(faceChain, installedModel),
      onLeftOut: (accountId, { id, embedder }) =>
        logger.warn(
          { accountId, perceptionId: id, embedder },
          'the perception names no faces: its images are described by another embedder than faceChain has',
        ),
    }),
    kinds: [reEmbedding.kind],
    // Of services that did not start again.
    sweeps: [plainSweep('cut-imports', () => faces.deletion.finish(cutForMs))],
    sweptStores: [swept],
    // First, so that nobody reads the vectors of faces from memory.
    accountFiles: [galleries(core, index), storeFiles('faces', deletableBlobs(imageFiles), named)],
    images: { face: isNamedIn(swept) },
    component: createFacesComponent({
      faces,
      stored,
      maxBytes,
      onFailure: (error) => logger.warn({ err: error }, 'face vectors were not read ahead'),
      followRevision: (signal) =>
        followRevision(
          {
            ...core,
            ...faces,
            change: reEmbedding.change,
            onBegun: (perception) =>
              logger.info(
                perception,
                'the images of a perception are embedded again: a new revision or version of its model is installed',
              ),
          },
          signal,
        ).catch((error: unknown) => {
          if (!signal.aborted) logger.error({ err: error }, 'perceptions of before are not embedded again');
        }),
    }),
  };
}

/** Faces that this service holds in memory. */
function galleries({ database }: Pick<Core, 'database'>, index: Pick<FaceIndex, 'drop'>): AccountFiles {
  return {
    store: 'galleries',
    async deleteNamed(accountId, onBatch) {
      const perceptions = await database.query
        .selectFrom('perception')
        .select(['id', 'embedder'])
        .where('account_id', '=', accountId)
        .execute();
      for (const { id: perceptionId, embedder } of perceptions) {
        await index.drop({ accountId, perceptionId, embedder });
        await onBatch({ items: 0, bytes: 0 });
      }
    },
    deleteOrphans: async () => undefined,
  };
}
