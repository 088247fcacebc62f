import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { type Delivery, DeliveryError, type DeliveryFile } from './destination.js';

/** A file to be sent to a destination. */
export interface OutgoingFile extends Omit<DeliveryFile, 'path'> {
  readonly deliveryId: string;
  /** Its bytes in order. Throws `mismatch` at the end when size or hash differ from the announced ones. Ends with the signal. */
  read(signal: AbortSignal): AsyncIterable<Buffer>;
}

export function outgoingFilesOf(delivery: Delivery): readonly OutgoingFile[] {
  return delivery.files.map((file) =>
    outgoing(file, delivery.id, (signal) =>
      createReadStream(file.path, { signal, highWaterMark: 256 * 1024 }),
    ),
  );
}

/** A small file that tests a destination. */
export function makeTestFile(id: string): OutgoingFile {
  const content = Buffer.from('Lynceus writes this file to test the destination, and removes it.\n');
  const facts = {
    name: `lynceus-test-${id.slice(0, 8)}.txt`,
    sizeBytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    mediaType: 'text/plain',
  };
  return outgoing(facts, id, () => Readable.from([content]));
}

function outgoing(
  { name, sizeBytes, sha256, mediaType }: Omit<DeliveryFile, 'path'>,
  deliveryId: string,
  open: (signal: AbortSignal) => Readable,
): OutgoingFile {
  const read = async function* (signal: AbortSignal) {
    const hash = createHash('sha256');
    let seenBytes = 0;
    const source: AsyncIterable<Buffer> = open(signal);
    for await (const chunk of source) {
      signal.throwIfAborted();
      hash.update(chunk);
      seenBytes += chunk.length;
      yield chunk;
    }
    if (seenBytes !== sizeBytes || hash.digest('hex') !== sha256) {
      throw new DeliveryError(
        'mismatch',
        'the file has changed on this machine since it was prepared for delivery',
      );
    }
  };
  return { name, sizeBytes, sha256, mediaType, deliveryId, read };
}

/** Hexadecimal SHA-256 of a stream. */
export async function hashOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}
