import { open, rm } from 'node:fs/promises';
import type { ObjectBody } from '../../../storage/objects/bucket.js';
import { digestPieces } from '../../../storage/objects/digests.js';

/** A chunk on its way in: a file of this machine, since hundreds of uploads would not fit into the memory. */
export interface ChunkDraft {
  sizeBytes(): number;
  write(piece: Uint8Array): Promise<void>;
  /** All that was written so far, to be sent. */
  body(): ObjectBody & { readonly kind: 'file' };
  close(): Promise<void>;
  /** Closes it and removes the file. */
  discard(): Promise<void>;
}

/** @param path nothing is there */
export async function openChunkDraft(path: string): Promise<ChunkDraft> {
  const file = await open(path, 'wx', 0o600);
  const digests = digestPieces();
  let sizeBytes = 0;
  return {
    sizeBytes: () => sizeBytes,
    async write(piece) {
      await file.writeFile(piece);
      digests.update(piece);
      sizeBytes += piece.byteLength;
    },
    body: () => ({ kind: 'file', path, sizeBytes, ...digests.digest() }),
    close: () => file.close(),
    async discard() {
      await file.close();
      await rm(path, { force: true });
    },
  };
}
