/** What a command of exiftool's answers. */
export interface CommandOutput {
  /** Cut short when it is longer than `maxOutputChars`. */
  readonly stdout: string;
  /** What exiftool could not do, without the names of files. */
  readonly errors: readonly string[];
  /** What it noticed about the file, in the same form. */
  readonly warnings: readonly string[];
}

/** A file's metadata may be as large as the file; what we ask for is not, and to parse more would hold the event loop. */
export const maxOutputChars = 128 * 1024;
