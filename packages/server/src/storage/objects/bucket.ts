import type { Readable } from 'node:stream';
import type { BlobPart } from '../blobs/blob-store.js';

/** Objects of ours in a bucket. Keys are without the prefix that the address of the bucket gives all of them. */
export interface Bucket {
  /** Such as `s3://my-bucket/lynceus`. */
  readonly shown: string;
  /** Whole or not at all, and durable when it resolves; in place of what was there. */
  put(key: string, body: ObjectBody): Promise<void>;
  /** Null when there is none. A connection that is lost is taken up again where it was. */
  get(key: string): Promise<ReadObject | null>;
  /** The same of some of its bytes. */
  getPart(key: string, part: BlobPart): Promise<Readable | null>;
  head(key: string): Promise<ObjectHead | null>;
  /** What is not there is removed already. */
  remove(key: string): Promise<void>;
  /** Within the bucket; false when there is none to copy. */
  copy(from: string, to: string): Promise<boolean>;
  /** All whose key begins so, in the order of keys. Those written a moment ago may be missing. */
  list(prefix: string): AsyncIterable<ListedObject>;
  /** True, or what the last request failed of, since when none succeeded. */
  state(): true | string;
  close(): void;
}

/** What is to be written: in memory, or in a file that nobody changes. */
export type ObjectBody = {
  readonly sizeBytes: number;
  /** In hexadecimal digits; kept beside the object, for whoever compares. */
  readonly sha256: string;
} & (
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly md5: string }
  | { readonly kind: 'file'; readonly path: string; readonly md5: string }
);

export interface ReadObject {
  readonly sizeBytes: number;
  /** In hexadecimal digits, as it was written; null for an object that others wrote. */
  readonly sha256: string | null;
  readonly stream: Readable;
}

export interface ObjectHead {
  readonly sizeBytes: number;
  /** Null for an object that others wrote. */
  readonly sha256: string | null;
  /** Milliseconds since 1970, by the clock of the store. */
  readonly writtenMs: number;
}

export interface ListedObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly writtenMs: number;
}
