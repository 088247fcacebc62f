import { ServiceError } from '../../core/service-error.js';
import { type FileTree, TreeError, type TreeFile } from '../../storage/archive/file-tree.js';
import { openFolderTree } from '../../storage/archive/open-folder-tree.js';
import { openZipTree } from '../../storage/archive/open-zip-tree.js';

/** Images in folders named by person, in a folder or in a zip. */
export interface ImageTree {
  /**
   * Every file, in an order that stays. Throws `bad_request` when the whole cannot be read: a damaged zip, a folder without
   * permission, more than `maxFiles`.
   */
  list(): AsyncIterable<ListedFile>;
}

export type ListedFile = ReadableFile | RefusedFile;

interface ReadableFile {
  /** Folders and the name of the file, with `/` between them, in Unicode NFC. */
  readonly path: string;
  /** Whether its name, and with it that of the person, may be in another encoding. */
  readonly hasGuessedName?: boolean;
  /** Its bytes; to be called before the next file is requested. Throws nothing. */
  read(): Promise<FileContent>;
}

export interface RefusedFile {
  readonly path: string;
  /** Why it is not read, in words. */
  readonly refusal: string;
}

type FileContent =
  | { readonly bytes: Buffer }
  | { readonly problem: 'too-large' | 'not-read'; readonly reason: string };

/** Above it a tree is refused as a whole: a zip may have been made to be endless. */
const maxFiles = 1_000_000;

/** Images in a zip. Two entries of one name are two files. */
export function imagesInZip(path: string, maxImageBytes: number): ImageTree {
  return imageTree(() => openZipTree(path, maxFiles), maxImageBytes);
}

/** Images below a folder; a link to another folder is not followed. */
export function imagesInFolder(dir: string, maxImageBytes: number): ImageTree {
  return imageTree(() => openFolderTree(dir, maxFiles), maxImageBytes);
}

/** @param open called for each listing */
function imageTree(open: () => Promise<FileTree>, maxImageBytes: number): ImageTree {
  return {
    async *list() {
      let tree: FileTree | undefined;
      try {
        tree = await open();
        for await (const file of tree.files()) {
          const { path, refusal, hasGuessedName = false } = file;
          yield refusal === null
            ? { path, hasGuessedName, read: () => readBounded(file, maxImageBytes) }
            : { path, refusal };
        }
      } catch (error) {
        if (!(error instanceof TreeError)) throw error;
        throw new ServiceError('bad_request', error.message, { cause: error });
      } finally {
        tree?.close();
      }
    },
  };
}

async function readBounded(file: TreeFile, maxBytes: number): Promise<FileContent> {
  const pieces: Uint8Array[] = [];
  let bytes = file.sizeBytes ?? 0;
  try {
    if (bytes <= maxBytes) {
      bytes = 0;
      for await (const piece of file.read()) {
        bytes += piece.byteLength;
        if (bytes > maxBytes) break;
        pieces.push(piece);
      }
    }
  } catch (error) {
    return { problem: 'not-read', reason: error instanceof Error ? error.message : String(error) };
  }
  if (bytes <= maxBytes) return { bytes: Buffer.concat(pieces, bytes) };
  return { problem: 'too-large', reason: `more than ${maxBytes} bytes (LYNCEUS_MAX_IMAGE_BYTES)` };
}
