import type { Core } from '../module/core.js';
import type { Module } from '../module/module.js';
import { deletableBlobs, filesNamedBy, storeFiles } from '../storage/account-files.js';
import { guardBlobs } from '../storage/blobs/guarded-blobs.js';
import { sweptFiles } from '../storage/quarantine/swept-files.js';
import { createMedia, type Media } from './media.js';

export interface StreamsModule extends Module {
  readonly media: Media;
}

/** Live streams and videos. */
export async function openStreamsModule(core: Core): Promise<StreamsModule> {
  const { database, clock } = core;
  const files = guardBlobs(await core.openBlobs('media'), core.imageDisk);
  const named = filesNamedBy(database, {
    table: 'media_blob',
    id: 'blob_id',
    by: ['kind', 'created_at', 'blob_id'],
  });
  return {
    media: createMedia({ database, clock, files }),
    sweptStores: [sweptFiles('media', database, files, { table: 'media_blob', column: 'blob_id' })],
    accountFiles: [storeFiles('media', deletableBlobs(files), named)],
  };
}
