/** A run of a file's bytes. */
export interface ChunkRange {
  /** Of its first byte within the file. */
  readonly offsetBytes: number;
  readonly sizeBytes: number;
}

/** Bytes of a file from its beginning to the first gap. @param chunks by their offsets, ascending */
export function sizeOfChunks(chunks: readonly ChunkRange[]): number {
  let end = 0;
  for (const { offsetBytes, sizeBytes } of chunks) {
    if (offsetBytes !== end) break;
    end += sizeBytes;
  }
  return end;
}

/** One chunk to be read from a byte of its own on. */
export interface ChunkRead<Chunk extends ChunkRange> {
  readonly chunk: Chunk;
  readonly skipBytes: number;
}

/** What is to be read for the bytes of a file from an offset to its end. */
export function planRead<Chunk extends ChunkRange>(
  chunks: readonly Chunk[],
  offsetBytes: number,
): readonly ChunkRead<Chunk>[] {
  const end = sizeOfChunks(chunks);
  return chunks
    .filter((chunk) => chunk.offsetBytes < end && chunk.offsetBytes + chunk.sizeBytes > offsetBytes)
    .map((chunk) => ({ chunk, skipBytes: Math.max(0, offsetBytes - chunk.offsetBytes) }));
}

/** What becomes of chunks where a file is cut to a size that it has, or had more than. */
interface Truncation<Chunk extends ChunkRange> {
  readonly removed: readonly Chunk[];
  /** The chunk that has the last byte, where not all of its bytes stay. */
  readonly shortened: { readonly chunk: Chunk; readonly sizeBytes: number } | null;
}

export function planTruncation<Chunk extends ChunkRange>(
  chunks: readonly Chunk[],
  sizeBytes: number,
): Truncation<Chunk> {
  const last = chunks.find(
    (chunk) => chunk.offsetBytes < sizeBytes && chunk.offsetBytes + chunk.sizeBytes > sizeBytes,
  );
  return {
    removed: chunks.filter((chunk) => chunk.offsetBytes >= sizeBytes),
    shortened: last ? { chunk: last, sizeBytes: sizeBytes - last.offsetBytes } : null,
  };
}

/** The same content in pieces of exactly so many bytes, the last one shorter; none for no content. */
export async function* inPiecesOf(
  content: AsyncIterable<Uint8Array>,
  pieceBytes: number,
): AsyncIterable<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const some of content) {
    for (let done = 0; done < some.byteLength; ) {
      const part = some.subarray(done, done + pieceBytes - bytes);
      waiting.push(part);
      bytes += part.byteLength;
      done += part.byteLength;
      if (bytes < pieceBytes) continue;
      yield Buffer.concat(waiting);
      waiting = [];
      bytes = 0;
    }
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}
