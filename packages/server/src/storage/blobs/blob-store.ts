import type { Readable } from 'node:stream';

/**
 * Bytes of one kind that are too large for the database, such as images. A row names each of them; the bytes are on disk
 * before the row is, and a blob that no row names is nobody's.
 */
export interface BlobStore {
  /**
   * Durable when it resolves; until then there is nothing under this id. Answers the bytes written.
   * @param id 8 characters or more of `a-z 0-9 -`
   */
  write(id: string, content: AsyncIterable<Uint8Array>): Promise<number>;
  /** Null when there is none. Whoever gets the stream reads or destroys it. */
  read(id: string): Promise<StoredBlob | null>;
  /** A file of its bytes on this machine, to be read only; null when there is none. */
  locate(id: string): Promise<string | null>;
  /** Where it lies on this machine, whether or not it is there. */
  pathOf(id: string): string;
  /** What is not there is removed already. */
  remove(id: string): Promise<void>;
  /** All of them, in no order. */
  list(): AsyncIterable<ListedBlob>;
}

export interface StoredBlob {
  readonly sizeBytes: number;
  readonly stream: Readable;
}

export interface ListedBlob {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly writtenMs: number;
}
