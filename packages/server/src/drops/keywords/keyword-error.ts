type KeywordErrorCode =
  /** exiftool does not run here: perl is missing, most often. */
  | 'unavailable'
  /** The file, or what stands in it beside the image, is so damaged that writing would lose something. */
  | 'damaged'
  | 'too-large'
  | 'timed-out'
  /** exiftool ended while it worked on the file; another attempt may succeed. */
  | 'interrupted'
  /** What is there after writing is not what was to be written, or the image itself changed. */
  | 'not-kept'
  /** The raw file holds no image that could be looked at. */
  | 'no-preview'
  /** Writing failed for a reason of this machine, such as a full disk. */
  | 'failed';

/** Why keywords could not be written, or a raw file not be read; the message is for the drop's owner. */
export class KeywordError extends Error {
  override readonly name = 'KeywordError';
  readonly code: KeywordErrorCode;

  constructor(code: KeywordErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const howToInstall =
  'keywords are written by exiftool, which needs perl 5 with Compress::Zlib, Digest::MD5 and Digest::SHA; ' +
  'install them (on Debian: apt-get install perl)';

/** exiftool cannot run here. */
export function perlUnavailable(cause: unknown): KeywordError {
  return new KeywordError('unavailable', howToInstall, { cause });
}
