export interface HeldWrite {
  /** Of the request. */
  readonly id: number;
  readonly offsetBytes: number;
  readonly data: Buffer;
}

/** Writes of one file that came before those that belong before them: clients that send several at once cannot order them. */
export interface HeldWrites {
  readonly count: number;
  /** False when there is no room for it. */
  hold(write: HeldWrite): boolean;
  /** The one that begins there. */
  takeAt(offsetBytes: number): HeldWrite | undefined;
  takeAll(): readonly HeldWrite[];
}

/** Each has a cost beside its bytes, so that empty ones cannot be many. */
const entryBytes = 256;

export function createHeldWrites(maxBytes: number): HeldWrites {
  const writes = new Map<number, HeldWrite>();
  let heldBytes = 0;
  const costOf = ({ data }: HeldWrite): number => data.length + entryBytes;
  return {
    get count() {
      return writes.size;
    },
    hold(write) {
      if (heldBytes + costOf(write) > maxBytes || writes.has(write.offsetBytes)) return false;
      // Of its own, so that no larger piece is kept with it.
      writes.set(write.offsetBytes, { ...write, data: Buffer.from(write.data) });
      heldBytes += costOf(write);
      return true;
    },
    takeAt(offsetBytes) {
      const found = writes.get(offsetBytes);
      if (found) {
        writes.delete(offsetBytes);
        heldBytes -= costOf(found);
      }
      return found;
    },
    takeAll() {
      const all = [...writes.values()];
      writes.clear();
      heldBytes = 0;
      return all;
    },
  };
}
