import { type AccountFiles, deletableBlobs, filesNamedBy, storeFiles } from '../../storage/account-files.js';
import type { DataFolder } from '../../storage/data-folder.js';
import type { Database } from '../../storage/database.js';
import { fileColumns } from '../../storage/file-columns.js';
import type { ObjectStorage } from '../../storage/objects/object-storage.js';
import type { SweptStore } from '../../storage/quarantine/sweep-store.js';
import { createObjectFileBytes } from './chunks/object-file-bytes.js';
import { sweepChunkRows, sweptChunks } from './chunks/swept-chunks.js';
import type { FileBytes } from './file-bytes.js';
import { partsOf } from './file-parts.js';
import { openFolderFileBytes } from './folder-file-bytes.js';
import { sweptDropBytes } from './swept-bytes.js';

/** The bytes of all drops, and what the service has to clear of them. */
interface OpenedFileBytes {
  readonly bytes: FileBytes;
  /** For the sweep of what no row names. */
  readonly swept: SweptStore;
  /** Deletes rows about bytes that no file needs any more. */
  sweepRows(fenced: Database, nowMs: number): Promise<void>;
  /** Bytes of accounts, which go with their account. */
  accountFiles(bytes: FileBytes): AccountFiles;
}

export interface OpenFileBytesDeps {
  readonly database: Database;
  readonly folder: Pick<DataFolder, 'dropsDir'>;
  /** Null where they are in the data folder. */
  readonly objects: Pick<ObjectStorage, 'bucket' | 'cache' | 'blobs' | 'disk'> | null;
  readonly limits: { readonly reserveBytes: number; readonly mayServiceBeRunning?: boolean };
}

export async function openFileBytes({
  database,
  folder,
  objects,
  limits,
}: OpenFileBytesDeps): Promise<OpenedFileBytes> {
  const named = filesNamedBy(database, fileColumns.drops);
  if (objects === null) {
    const bytes = await openFolderFileBytes(folder.dropsDir, limits);
    return {
      bytes,
      swept: sweptDropBytes(database, bytes),
      sweepRows: async () => undefined,
      accountFiles: ({ sizeOf, remove }) =>
        storeFiles('drops', { list: bytes.list, sizeOf, remove }, named, partsOf),
    };
  }
  const { bucket, cache, blobs, disk } = objects;
  const chunks = blobs('drops');
  return {
    bytes: createObjectFileBytes({ database, bucket, cache, disk }),
    swept: sweptChunks(database, chunks),
    sweepRows: sweepChunkRows,
    accountFiles: ({ sizeOf, remove }) => {
      const { store, deleteNamed } = storeFiles(
        'drops',
        { list: chunks.list, sizeOf, remove },
        named,
        partsOf,
      );
      // What no row names any more is an object without a file.
      const { deleteOrphans } = storeFiles('drops', deletableBlobs(chunks), named);
      return { store, deleteNamed, deleteOrphans };
    },
  };
}
