import { once } from 'node:events';
import { Parser, type ReadEntry } from 'tar';
import { refuseArchive } from './format.js';

export interface ReadMember {
  readonly name: string;
  readonly bytes: Buffer;
}

const blockBytes = 512;
/** By which the parser knows what it would unpack: gzip (RFC 1952), Zstandard (RFC 8878). */
const compressed = [Buffer.from([0x1f, 0x8b]), Buffer.from([0x28, 0xb5, 0x2f, 0xfd])];

/**
 * Reads a plain tar file front to back, one member after the other, each whole in memory. `limitOf` gives how large a
 * member of a name may be, or throws for one that does not belong there. Throws `bad_request` for what is no such file,
 * compressed ones included: a small file cannot become a large one.
 */
export async function readTar(
  pieces: AsyncIterable<Uint8Array>,
  limitOf: (name: string) => number,
  onMember: (member: ReadMember) => Promise<void>,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  const failed = new AbortController();
  const fail = (error: unknown) => {
    failure ??= { error };
    failed.abort();
  };
  /** Members come one at a time, but the work on one goes on after its last byte. */
  let work = Promise.resolve();
  let current: ReadEntry | undefined;
  const take = (entry: ReadEntry) => {
    current = entry;
    work = work
      .then(async () => {
        if (failure !== undefined) return void entry.resume();
        await onMember({ name: entry.path, bytes: await readWhole(entry, limitOf) });
      })
      .catch((error: unknown) => {
        fail(error);
        // The parser waits until the rest of the entry is taken.
        entry.resume();
      });
  };
  const parser = new Parser({ strict: true, maxMetaEntrySize: 0, brotli: false, onReadEntry: take });
  parser.on('error', (error: unknown) => {
    fail(refuseArchive('it is damaged or cut short', error));
    // Whoever waits for its rest waits in vain; the parser itself still writes to it.
    queueMicrotask(() => current?.destroy());
  });
  const ended = once(parser, 'end', failed).catch(() => undefined);

  /** The parser throws, too, where it finds itself cut short. */
  const guard = <T>(step: () => T): T | undefined => {
    try {
      return step();
    } catch (error) {
      fail(refuseArchive('it is damaged or cut short', error));
      current?.destroy();
      return undefined;
    }
  };
  try {
    for await (const piece of checkBeginning(pieces)) {
      if (!guard(() => parser.write(Buffer.from(piece))) && failure === undefined) {
        await once(parser, 'drain', failed).catch(() => undefined);
      }
      if (failure !== undefined) break;
    }
  } catch (error) {
    fail(error);
    // The rest of it comes no more.
    current?.destroy();
  }
  if (failure === undefined) {
    guard(() => parser.end());
    await ended;
  }
  await work;
  if (failure !== undefined) throw failure.error;
}

/**
 * The first block must be a header of tar, and not begin as what is compressed does, which the parser would unpack: the
 * name of a file in a gzip can stand where a header of tar has its mark.
 */
async function* checkBeginning(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let beginning: Buffer | null = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (beginning === null) {
      yield piece;
      continue;
    }
    beginning = Buffer.concat([beginning, piece]);
    if (beginning.byteLength < blockBytes) continue;
    const start = beginning;
    if (compressed.some((magic) => start.subarray(0, magic.length).equals(magic))) break;
    if (beginning.toString('latin1', 257, 262) !== 'ustar') break;
    yield beginning;
    beginning = null;
  }
  if (beginning !== null) throw refuseArchive('it is no plain tar file as an export writes it');
}

async function readWhole(entry: ReadEntry, limitOf: (name: string) => number): Promise<Buffer> {
  const name = JSON.stringify(entry.path.slice(0, 100));
  if (entry.type !== 'File') throw refuseArchive(`its member ${name} is no plain file`);
  const limit = limitOf(entry.path);
  if (entry.size > limit) throw refuseArchive(`its member ${name} has more than ${limit} bytes`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (bytes.byteLength !== entry.size) throw refuseArchive(`it ends within ${name}`);
  return bytes;
}
