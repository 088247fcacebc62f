import type { Readable } from 'node:stream';
import type { Compilable } from 'kysely';
import type { HeldFile } from '../../storage/blobs/blob-store.js';

/**
 * The bytes of drops' files, by ids of ours: no name of a client's is a name here. Unlike a blob, a file can be resumed, and is
 * there before it is whole; its row says how far it can be trusted.
 */
export interface FileBytes {
  /**
   * For writing from an offset on; what was behind it is dropped. Created when it is not there.
   * @param guard of the transfer, where one is under way
   */
  open(id: string, offsetBytes: number, guard?: AppendGuard): Promise<OpenFile>;
  /**
   * Replaces all bytes of an id; durable when it resolves.
   * @param fence of the job that writes them
   */
  put(id: string, content: AsyncIterable<Uint8Array>, fence: readonly Compilable[]): Promise<void>;
  /** A file of the bytes on this machine, until it is released; null when there is none. */
  hold(id: string): Promise<HeldFile | null>;
  /** A path of this machine where a program can write bytes that are to be kept under an id. */
  draft(id: string): Promise<FileDraft>;
  /** Of what is there; 0 for nothing. */
  sizeOf(id: string): Promise<number>;
  /** Null when there is nothing. Whoever gets the stream reads or destroys it. */
  read(id: string, offsetBytes: number): Promise<Readable | null>;
  /** What is not there is removed already. */
  remove(id: string): Promise<void>;
}

/** Statements around those of a unit that appends: they undo it, as `not-null`, once another has ended the transfer. */
export type AppendGuard = (sizeBytes: number, unit: readonly Compilable[]) => readonly Compilable[];

export interface OpenFile {
  /** Throws `full` where no room is left but the reserve. */
  write(piece: Uint8Array): Promise<void>;
  /** What was written is durable when it resolves. */
  sync(): Promise<void>;
  /** Of a transfer that was cut: keeps what it can, and answers how many bytes of the file there are. */
  keep(): Promise<number>;
  close(): Promise<void>;
}

interface FileDraft {
  /** Absolute; nothing is there. A sidecar's is the same with `.xmp` behind it. */
  readonly path: string;
  /**
   * Keeps what was written, synced, at a path of this draft; durable when it resolves.
   * @param fence of the job that wrote it
   */
  keep(id: string, path: string, fence: readonly Compilable[]): Promise<void>;
  /** Removes what was written and not kept. */
  discard(): Promise<void>;
}

/** Works with a draft, of which nothing is left but what the work kept. */
export async function withDraft<T>(
  bytes: Pick<FileBytes, 'draft'>,
  id: string,
  work: (draft: FileDraft) => Promise<T>,
): Promise<T> {
  const draft = await bytes.draft(id);
  try {
    return await work(draft);
  } finally {
    await draft.discard();
  }
}

/** Works on a file of these bytes. Throws where there is none. */
export async function withHeld<T>(
  bytes: Pick<FileBytes, 'hold'>,
  id: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const held = await bytes.hold(id);
  if (held === null) throw new Error('the bytes of this file are gone: send it again');
  try {
    return await work(held.path);
  } finally {
    held.release();
  }
}
