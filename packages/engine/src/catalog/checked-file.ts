import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { publish } from './durable-file.js';
import type { Layout } from './layout.js';

export interface FileFacts {
  readonly name: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Bytes that differ from what the catalogue states. */
export class WrongBytesError extends Error {
  override readonly name = 'WrongBytesError';
}

export async function sha256OfFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, ...(signal && { signal }) })) {
    hash.update(chunk);
  }
  return hash.digest('hex');
}

/** Whether a file of the right size is there; its content was checked when it was stored. */
export async function isPresent(path: string, bytes: number): Promise<boolean> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size === bytes;
  } catch {
    return false;
  }
}

/** Writes chunks to a new file, never more than `bytes`, and checks the hash. Throws `WrongBytesError`. */
export async function receiveFile(
  chunks: AsyncIterable<Uint8Array>,
  facts: FileFacts,
  path: string,
): Promise<void> {
  const hash = createHash('sha256');
  let received = 0;
  const file = await open(path, 'wx', 0o644);
  try {
    for await (const chunk of chunks) {
      received += chunk.length;
      if (received > facts.bytes) throw wrongSize(facts, `more than ${facts.bytes}`);
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    if (received !== facts.bytes) throw wrongSize(facts, String(received));
    const sha256 = hash.digest('hex');
    if (sha256 !== facts.sha256) throw wrongHash(facts, sha256);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Checks a complete file and moves it into the folder of sources. */
export async function keepSource(path: string, facts: FileFacts, layout: Layout): Promise<void> {
  const { size } = await stat(path);
  if (size !== facts.bytes) throw wrongSize(facts, String(size));
  const sha256 = await sha256OfFile(path);
  if (sha256 !== facts.sha256) throw wrongHash(facts, sha256);
  await publish(path, layout.source(facts.sha256));
}

function wrongSize(facts: FileFacts, found: string): WrongBytesError {
  return new WrongBytesError(`${facts.name} has ${found} bytes, the catalogue says ${facts.bytes}`);
}

function wrongHash(facts: FileFacts, found: string): WrongBytesError {
  return new WrongBytesError(`${facts.name} has SHA-256 ${found}, the catalogue says ${facts.sha256}`);
}
