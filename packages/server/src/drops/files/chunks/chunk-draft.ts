import { open, rm } from 'node:fs/promises';
import type { ObjectBody } from '../../../storage/objects/bucket.js';
import { digestPieces } from '../../../storage/objects/digests.js';

/** A chunk on its way in: a file of this machine, since hundreds of uploads would not fit into the memory. */
export type ChunkDraft = Awaited<ReturnType<typeof openChunkDraft>>;

/** @param path nothing is there */
export async function openChunkDraft(path: string) {
  const file = await open(path, 'wx', 0o600);
  const digests = digestPieces();
  let sizeBytes = 0;
  return {
    sizeBytes: (): number => sizeBytes,
    async write(piece: Uint8Array) {
      await file.writeFile(piece);
      digests.update(piece);
      sizeBytes += piece.byteLength;
    },
    /** All that was written so far, to be sent. */
    body: (): ObjectBody & { readonly kind: 'file' } => ({
      kind: 'file',
      path,
      sizeBytes,
      ...digests.digest(),
    }),
    close: () => file.close(),
    /** Closes it and removes the file. */
    async discard() {
      await file.close();
      await rm(path, { force: true });
    },
  };
}
