/** Names that programs leave everywhere and nobody means. */
const passedOver = /(^|\/)(__MACOSX|\.(?!\.?(?:\/|$))[^/]*|Thumbs\.db|desktop\.ini)(\/|$)/i;

export function isPassedOver(path: string): boolean {
  return passedOver.test(path);
}

/** Of one zip or folder, annotations among them. */
export const maxFiles = 120_000;
/** Of one file of annotations: it is parsed as a whole. */
export const maxTextBytes = 128 * 1024 * 1024;

/** What a file is, while a folder or zip is looked through. */
export interface OpenTree {
  readonly paths: readonly string[];
  /** Files that are not looked at, and why. */
  readonly refused: readonly { readonly path: string; readonly message: string }[];
  /** Bytes of a file. Throws `FormatError` when they are damaged. */
  read(path: string): Promise<AsyncIterable<Uint8Array>>;
  close(): Promise<void>;
}
