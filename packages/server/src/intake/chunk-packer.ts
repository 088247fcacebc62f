/** Chunks below this are joined to blocks of about this size. */
const blockBytes = 4096;

/**
 * Joins small chunks. A client chooses how many chunks its body has, one for each byte if it likes, and a chunk costs some
 * hundred bytes of memory and a turn of whoever takes it: what a body costs must follow from its bytes alone.
 */
export interface ChunkPacker {
  /** What is full now; undefined while it is still small. */
  add(chunk: Buffer): Buffer | undefined;
  /** What is left; undefined when there is nothing. */
  rest(): Buffer | undefined;
}

export function createChunkPacker(): ChunkPacker {
  let block: Buffer | undefined;
  let filled = 0;
  const rest = () => {
    const packed = block?.subarray(0, filled);
    block = undefined;
    filled = 0;
    return packed;
  };
  return {
    add(chunk) {
      if (filled + chunk.byteLength >= blockBytes) {
        const before = rest();
        return before === undefined ? chunk : Buffer.concat([before, chunk]);
      }
      block ??= Buffer.allocUnsafe(blockBytes);
      filled += chunk.copy(block, filled);
      return undefined;
    },
    rest,
  };
}
