/** What a command of exiftool's answers. */
export interface CommandOutput {
  /** Cut short when it is longer than `maxOutputChars`. */
  readonly stdout: string;
  /** What exiftool could not do, without the names of files. */
  readonly errors: readonly string[];
}

/** A file's metadata may be as large as the file; what we ask for is not, and to parse more would hold the event loop. */
export const maxOutputChars = 128 * 1024;

/** Whether an error is about the disk that was written to, and not about the file that was read. */
export function isDiskError(error: string): boolean {
  return /^error (writing|creating|renaming|closing)|no space/i.test(error);
}
