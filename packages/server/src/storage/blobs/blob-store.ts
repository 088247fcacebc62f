import type { Readable } from 'node:stream';

/**
 * Bytes of one kind that are too large for the database, such as images. A row names each of them; the bytes are kept
 * before the row is, and a blob that no row names is nobody's. Bytes of an id never change.
 */
export interface BlobStore {
  /**
   * Durable when it resolves; until then there is nothing under this id. Answers the bytes written.
   * @param id 8 characters or more of `a-z 0-9 -`
   */
  write(id: string, content: AsyncIterable<Uint8Array>): Promise<number>;
  /** Null when there is none. Whoever gets the stream reads or destroys it. */
  read(id: string): Promise<StoredBlob | null>;
  /** Some of its bytes; null when there is none of this id. */
  readPart(id: string, part: BlobPart): Promise<Readable | null>;
  /** A file of its bytes on this machine, until it is released; null when there is none. */
  hold(id: string): Promise<HeldFile | null>;
  /** Bytes of it; null when there is none. */
  sizeOf(id: string): Promise<number | null>;
  /** What is not there is removed already. */
  remove(id: string): Promise<void>;
  /** All of them, in no order. */
  list(): AsyncIterable<ListedBlob & { readonly sizeBytes: number }>;
  /** Where it lies, whether or not it is there, as the quarantine of its store takes it: a path, or a key of a bucket. */
  placeOf(id: string): string;
}

export interface StoredBlob {
  readonly sizeBytes: number;
  /** Of what was written, in hexadecimal digits; absent or null where it is not known. */
  readonly sha256?: string | null;
  readonly stream: Readable;
}

/** To be read only, and neither moved nor deleted. */
/** Bytes from one offset to another, which is behind them; both are within the blob. */
export interface BlobPart {
  readonly fromBytes: number;
  readonly toBytes: number;
}

export interface HeldFile {
  readonly path: string;
  /** Nobody reads the file any more; a second time does nothing. */
  release(): void;
}

export interface ListedBlob {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly writtenMs: number;
}

/** Works on a file of a blob's bytes, which is there until the work ends; null when there is no such blob. */
export async function withFile<T>(
  blobs: Pick<BlobStore, 'hold'>,
  id: string,
  work: (path: string) => Promise<T>,
): Promise<T | null> {
  const held = await blobs.hold(id);
  if (held === null) return null;
  try {
    return await work(held.path);
  } finally {
    held.release();
  }
}
