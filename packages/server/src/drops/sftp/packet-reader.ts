import type { Duplex } from 'node:stream';
import { BadPacket } from './packet-fields.js';

type NextPacket =
  | { readonly kind: 'packet'; readonly bytes: Buffer }
  /** None came in time. */
  | { readonly kind: 'idle' }
  /** None will come. */
  | { readonly kind: 'end' };

export type PacketReader = ReturnType<typeof createPacketReader>;

const lengthBytes = 4;
const maxChunks = 64;

/** Packets of a stream, each with its length before it; it reads no more of the stream than the next packet needs. */
export function createPacketReader(stream: Duplex, maxPacketBytes: number) {
  let chunks: Buffer[] = [];
  let heldBytes = 0;
  let isOver = false;
  let wake: (() => void) | null = null;

  const onData = (chunk: Buffer): void => {
    chunks.push(chunk);
    heldBytes += chunk.length;
    // Pieces of a byte would take more memory than their bytes.
    if (chunks.length > maxChunks) chunks = [Buffer.concat(chunks)];
    stream.pause();
    wake?.();
  };
  const stop = (): void => {
    isOver = true;
    stream.off('data', onData);
    wake?.();
  };
  stream.on('data', onData).once('end', stop).once('close', stop);
  stream.pause();

  /** The first bytes as one buffer. */
  const peek = (count: number): Buffer => {
    const [first] = chunks;
    if (first && first.length >= count) return first;
    const whole = Buffer.concat(chunks);
    chunks = [whole];
    return whole;
  };
  /** Bytes of the next packet; null before its length is here. */
  const packetBytes = (): number | null => {
    if (heldBytes < lengthBytes) return null;
    const bytes = peek(lengthBytes).readUInt32BE(0);
    if (bytes === 0 || bytes > maxPacketBytes)
      throw new BadPacket(`A packet has 1 to ${maxPacketBytes} bytes here.`);
    return bytes;
  };
  const hasNext = (): boolean => {
    const bytes = packetBytes();
    return bytes !== null && heldBytes >= lengthBytes + bytes;
  };
  const take = (): Buffer | null => {
    const bytes = packetBytes();
    if (bytes === null || heldBytes < lengthBytes + bytes) return null;
    const [first = Buffer.alloc(0), ...rest] = [peek(lengthBytes + bytes), ...chunks.slice(1)];
    const end = lengthBytes + bytes;
    chunks = first.length > end ? [first.subarray(end), ...rest] : rest;
    heldBytes -= end;
    return first.subarray(lengthBytes, end);
  };

  return {
    /** Received, and not read yet. */
    get bufferedBytes(): number {
      return heldBytes + stream.readableLength;
    },
    /** Whether a packet is here, so that `next` waits for nothing. */
    hasNext,
    /** Makes the pending `next` and those to come answer `end`. */
    stop,
    /** Throws `BadPacket` for one that is too long or empty. */
    async next(timeoutMs: number): Promise<NextPacket> {
      const until = performance.now() + timeoutMs;
      for (;;) {
        const bytes = take();
        if (bytes) return { kind: 'packet', bytes };
        if (isOver) return { kind: 'end' };
        const leftMs = until - performance.now();
        if (leftMs <= 0) return { kind: 'idle' };
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
          timer = setTimeout(resolve, leftMs);
          stream.resume();
        });
        clearTimeout(timer);
        wake = null;
      }
    },
  };
}
