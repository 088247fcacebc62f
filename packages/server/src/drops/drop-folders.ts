import type { Readable } from 'node:stream';

/**
 * From the root of a drop: `[]` is the root itself, `['incoming', 'a', 'b.jpg']` a file. No part is empty, `.`, `..`, or has a
 * slash or a control character in it.
 */
export type DropPath = readonly string[];

export interface DropEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** 0 for a folder. */
  readonly sizeBytes: number;
  /** Since 1970. */
  readonly modifiedMs: number;
  /** Of a file that did not arrive whole, or is on its way; `find` alone says it. */
  readonly isPart?: true;
}

/**
 * What one drop shows to who is logged in: `incoming`, which takes files and folders, and `done` and `failed`, from which
 * files can be read and removed. None of its names is a name on this machine's disk. All of it throws `DropError`.
 */
export interface DropFolders {
  /** Null when there is nothing. */
  find(path: DropPath): Promise<DropEntry | null>;
  /** What is in a folder: folders first, each by name. */
  list(path: DropPath): AsyncIterable<DropEntry>;
  makeFolder(path: DropPath): Promise<void>;
  /** An empty one. */
  removeFolder(path: DropPath): Promise<void>;
  removeFile(path: DropPath): Promise<void>;
  /** Of a file within `incoming`, or of a folder there: a file that had a passing name arrives by it. */
  rename(from: DropPath, to: DropPath): Promise<void>;
  receive(path: DropPath, start: UploadStart): Promise<DropUpload>;
  /** Whoever gets the stream reads or destroys it. */
  read(
    path: DropPath,
    offsetBytes: number,
  ): Promise<{ readonly sizeBytes: number; readonly stream: Readable }>;
}

export type UploadStart =
  /** A new file; one of that name that waits to be worked on stays as it is, beside it. */
  | { readonly at: 'begin' }
  /** A new file, under a name like this one that nothing has. */
  | { readonly at: 'begin'; readonly isUnique: true }
  /** Goes on with a file that was cut short; what is there beyond the offset is dropped. */
  | { readonly at: 'offset'; readonly offsetBytes: number }
  /**
   * Goes on at its end; a new file when there is none.
   * @param knownBytes the size that the client knows, from where its bytes begin; left out where it asked for none. Another size by
   * now is `busy`: an earlier transfer wrote down its last bytes meanwhile, and these would come twice
   */
  | { readonly at: 'end'; readonly knownBytes?: number };

/** A file on its way in. One of `finish` and `cut` is called, once. */
export interface DropUpload {
  readonly path: DropPath;
  /** Whether it will be `held` once it is there, since its name is one that programs give to incomplete files. */
  readonly isHeld: boolean;
  /** Resolves when there may be more. Throws `full`, `too-many` or `too-large`; then it is to be cut. */
  write(chunk: Uint8Array): Promise<void>;
  /** All of it is written: on disk for good when it resolves. It has not arrived by that. `finish` does it where nobody did before. */
  sync(): Promise<void>;
  /** All of it is there, and on disk for good when it resolves. It has arrived, unless its name is a passing one. */
  finish(): Promise<void>;
  /** The transfer did not end well: it has not arrived, and can be gone on with. */
  cut(): Promise<void>;
}

/** Who is logged in. */
export interface DropSession {
  readonly accountId: number;
  readonly dropId: number;
  readonly folders: DropFolders;
  /** Whether the key is still good for this drop, and the drop there. */
  isOpen(): Promise<boolean>;
}

export interface DropCredentials {
  readonly userName: string;
  /** The drop's own API key. */
  readonly password: string;
  /** The name by which the client asked for this service (`HOST`); null when it did not say. */
  readonly host: string | null;
}

/** A client that proved, or is about to prove, that it has the private key to a public one. */
export interface DropKeyCredentials {
  readonly userName: string;
  /** RFC 4253, 6.6. */
  readonly publicKey: Buffer;
}

/** Null when the key opens no such drop. */
export type LogInByKey = (credentials: DropKeyCredentials) => Promise<DropSession | null>;

/** Null when these are nobody's. */
export type LogInToDrop = (credentials: DropCredentials) => Promise<DropSession | null>;
