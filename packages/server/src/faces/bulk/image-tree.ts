/** Images in folders named by person, in a folder or in a zip. */
export interface ImageTree {
  /**
   * Every file but those that are passed over, in an order that stays. Throws `bad_request` when the whole cannot be
   * read: a damaged zip, a folder without permission, more than `maxFiles`.
   */
  list(): AsyncIterable<ListedFile>;
}

export type ListedFile = ReadableFile | RefusedFile;

export interface ReadableFile {
  /** Folders and the name of the file, parted by `/`, in Unicode NFC. */
  readonly path: string;
  /** Its bytes; to be asked for before the next file is. Throws nothing. */
  read(): Promise<FileContent>;
}

export interface RefusedFile {
  readonly path: string;
  /** Why it is not read, in words. */
  readonly refusal: string;
}

export type FileContent =
  | { readonly bytes: Buffer }
  | { readonly problem: 'too-large' | 'not-read'; readonly reason: string };

/** Above it a tree is refused as a whole: a zip may have been made to be endless. */
export const maxFiles = 1_000_000;

/** What systems leave beside images: hidden files, what macOS puts into zips, thumbnails of Windows. */
export function isPassedOver(segments: readonly string[]): boolean {
  return segments.some(
    (segment) => segment.startsWith('.') || /^(__MACOSX|thumbs\.db|desktop\.ini)$/i.test(segment),
  );
}
