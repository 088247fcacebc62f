import { type FileHandle, open } from 'node:fs/promises';
import type { FrameSource } from '@lynceus/engine';
import { ServiceError } from '../core/service-error.js';
import type { Spool, SpoolFile } from '../intake/spool.js';

/** A frame in a file, which stays as it is until all who hold it have let it go. */
export interface HeldFrame {
  readonly source: FrameSource;
  hold(): void;
  release(): void;
}

/** The files of a stream's frames, each used again and again: one to look at, while the frame before is drawn. */
export type FrameFiles = ReturnType<typeof createFrameFiles>;

interface Slot {
  readonly file: SpoolFile;
  readonly handle: FileHandle;
  /** Counted in the spool. */
  reservedBytes: number;
  sizeBytes: number;
  holders: number;
}

const slotsPerStream = 2;

/** @param maxSlots files at once; two unless given */
export function createFrameFiles(spool: Pick<Spool, 'createFile'>, maxSlots = slotsPerStream) {
  const slots: Slot[] = [];
  let isClosed = false;

  const openSlot = async (): Promise<Slot> => {
    const file = await spool.createFile();
    try {
      await file.close();
      const handle = await open(file.path, 'r+');
      const slot = { file, handle, reservedBytes: 0, sizeBytes: 0, holders: 0 };
      slots.push(slot);
      return slot;
    } catch (error) {
      await file.dispose();
      throw error;
    }
  };
  const fill = async (slot: Slot, pixels: Uint8Array) => {
    const bytes = pixels.byteLength;
    if (bytes > slot.reservedBytes) {
      reserve(slot.file, bytes - slot.reservedBytes);
      slot.reservedBytes = bytes;
    }
    for (let at = 0; at < bytes; ) at += (await slot.handle.write(pixels, at, bytes - at, at)).bytesWritten;
    if (slot.sizeBytes > bytes) await slot.handle.truncate(bytes);
    slot.sizeBytes = bytes;
  };

  return {
    /** Held once by the caller. Null while all files are in use. Throws `service_busy` and others where the spool is full. */
    async write({
      width,
      height,
      pixels,
    }: {
      readonly width: number;
      readonly height: number;
      readonly pixels: Uint8Array;
    }): Promise<HeldFrame | null> {
      if (isClosed) return null;
      const slot =
        slots.find(({ holders }) => holders === 0) ?? (slots.length < maxSlots ? await openSlot() : null);
      if (slot === null) return null;
      slot.holders = 1;
      try {
        await fill(slot, pixels);
      } catch (error) {
        slot.holders = 0;
        throw error;
      }
      return {
        source: { kind: 'frame', path: slot.file.path, width, height },
        hold() {
          slot.holders += 1;
        },
        release() {
          slot.holders -= 1;
        },
      };
    },
    /** Whoever holds a frame still is not waited for. */
    async close() {
      isClosed = true;
      for (const { handle, file } of slots.splice(0)) {
        await handle.close();
        await file.dispose();
      }
    },
  };
}

/** The spool's own message is for those who send images. */
function reserve(file: SpoolFile, bytes: number): void {
  try {
    file.reserve(bytes);
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'too_many_requests')) throw error;
    const message =
      'frames of this account fill its half of the space for images in work: reduce max_width of its streams, run fewer of them, or have the operator raise spoolMaxBytes';
    throw new ServiceError(error.code, message, { retryAfterSeconds: 1, cause: error });
  }
}
