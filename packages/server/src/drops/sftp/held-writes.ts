export interface HeldWrite {
  /** Of the request. */
  readonly id: number;
  readonly offsetBytes: number;
  readonly data: Buffer;
}

/** Memory that several files share. */
export type ByteBudget = ReturnType<typeof createByteBudget>;

export function createByteBudget(maxBytes: number) {
  let takenBytes = 0;
  return {
    /** False, and takes none, where so much is not left. */
    take(bytes: number): boolean {
      if (takenBytes + bytes > maxBytes) return false;
      takenBytes += bytes;
      return true;
    },
    giveBack(bytes: number) {
      takenBytes -= bytes;
    },
  };
}

/** Each has a cost beside its bytes, so that empty ones cannot be many. */
const entryBytes = 256;

/**
 * Writes of one file that came before those that belong before them: clients that send several at once cannot order them.
 * Bytes are taken from all budgets, and given back with the writes.
 */
export function createHeldWrites(budgets: readonly ByteBudget[]) {
  const writes = new Map<number, HeldWrite>();
  const costOf = ({ data }: HeldWrite): number => data.length + entryBytes;
  const takeFrom = ([budget, ...others]: readonly ByteBudget[], bytes: number): boolean => {
    if (budget === undefined) return true;
    if (!budget.take(bytes)) return false;
    if (takeFrom(others, bytes)) return true;
    budget.giveBack(bytes);
    return false;
  };
  const remove = (write: HeldWrite): void => {
    writes.delete(write.offsetBytes);
    for (const budget of budgets) budget.giveBack(costOf(write));
  };
  return {
    get count(): number {
      return writes.size;
    },
    /** False when there is no room for it. */
    hold(write: HeldWrite): boolean {
      if (writes.has(write.offsetBytes) || !takeFrom(budgets, costOf(write))) return false;
      // Of its own, so that no larger piece is kept with it.
      writes.set(write.offsetBytes, { ...write, data: Buffer.from(write.data) });
      return true;
    },
    /** The one that begins there. */
    takeAt(offsetBytes: number): HeldWrite | undefined {
      const found = writes.get(offsetBytes);
      if (found) remove(found);
      return found;
    },
    takeAll(): readonly HeldWrite[] {
      const all = [...writes.values()];
      for (const write of all) remove(write);
      return all;
    },
  };
}
