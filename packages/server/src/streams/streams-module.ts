import type { Perceptions } from '../faces/perceptions.js';
import type { Core } from '../module/core.js';
import { finishDeletions, type Module, sweepCutDeletions } from '../module/module.js';
import type { ChooseModel } from '../recognition/choose-model.js';
import { deletableBlobs, filesNamedBy, storeFiles } from '../storage/account-files.js';
import { guardBlobs } from '../storage/blobs/guarded-blobs.js';
import { sweptFiles } from '../storage/quarantine/swept-files.js';
import { createMedia, type Media } from './media.js';
import { createNewEvents, type NewEvents } from './new-events.js';
import { openStreamStore, type StreamStore } from './stream-store.js';

export interface StreamsModule extends Module {
  readonly media: Media;
  readonly streamStore: StreamStore;
  /** Whoever records events says so here. */
  readonly newEvents: NewEvents;
}

export interface StreamsModuleDeps {
  readonly chooseModel: ChooseModel;
  readonly perceptions: Pick<Perceptions, 'find'>;
}

/** Live streams and videos. */
export async function openStreamsModule(core: Core, deps: StreamsModuleDeps): Promise<StreamsModule> {
  const { database, clock } = core;
  const files = guardBlobs(await core.openBlobs('media'), core.imageDisk);
  const named = filesNamedBy(database, {
    table: 'media_blob',
    id: 'blob_id',
    by: ['kind', 'created_at', 'blob_id'],
  });
  const media = createMedia({ database, clock, files });
  const streamStore = await openStreamStore({
    ...core,
    ...deps,
    media,
    installationKeys: await core.installationKeys(),
  });
  return {
    media,
    streamStore,
    newEvents: createNewEvents(),
    sweeps: [sweepCutDeletions('cut-stream-deletions', streamStore.deletion)],
    sweptStores: [sweptFiles('media', database, files, { table: 'media_blob', column: 'blob_id' })],
    accountFiles: [storeFiles('media', deletableBlobs(files), named)],
    component: finishDeletions('streams', streamStore.deletion),
  };
}
