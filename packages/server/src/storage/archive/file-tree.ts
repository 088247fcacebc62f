/** Files of a zip or of a folder, alike to their readers. */
export interface FileTree {
  /** Every file but hidden ones and those that systems add. Throws `TreeError` when the whole cannot be read. */
  files(): AsyncGenerator<TreeFile, void, undefined>;
  close(): void;
}

export interface TreeFile {
  /** Segments with `/` between them, in Unicode NFC. Two files of a tree may have the same. */
  readonly path: string;
  /** Whether the name is in an encoding that a zip does not state; absent in a folder. */
  readonly hasGuessedName?: boolean;
  /** Why it is not read; null when it is. */
  readonly refusal: string | null;
  /** As the zip says; null before a file of a folder is read. */
  readonly sizeBytes: number | null;
  /** Throws an error whose message says what is wrong with the file. */
  read(): AsyncIterable<Uint8Array>;
}

/** The zip or folder cannot be read at all. The message is for its owner. */
export class TreeError extends Error {
  override readonly name = 'TreeError';
}

/** What to do about names that may be wrong, for the owner of a zip. */
export const onGuessedName =
  'the zip does not say in which encoding its name is, and it was read as CP437: if it is wrong, make the zip with names in UTF-8 (7-Zip: cu=on)';

/** Files and folders that macOS, Windows and the storage of Synology and QNAP add: thumbnails, deleted files, snapshots. */
const ofSystems =
  /^(__MACOSX|thumbs\.db|ehthumbs\.db|desktop\.ini|\$RECYCLE\.BIN|System Volume Information|@eaDir|#recycle|#snapshot|@Recycle|@Recently-Snapshot)$/i;

/** Whether a path is hidden, or one that systems add to folders and zips. */
export function isPassedOver(path: string): boolean {
  return path.split('/').some((segment) => {
    if (segment === '.' || segment === '..') return false;
    return segment.startsWith('.') || ofSystems.test(segment);
  });
}
