import { DropError } from '../drop-error.js';
import type { DropEntry, DropFolders, DropPath, DropUpload, UploadStart } from '../drop-folders.js';
import type { KnownSize } from '../servers/known-sizes.js';
import { type ByteBudget, createHeldWrites, type HeldWrite } from './held-writes.js';
import { statusCodes } from './protocol.js';
import { Refusal } from './status-of-error.js';

export interface UploadOptions {
  readonly folders: DropFolders;
  readonly path: DropPath;
  /** What is there; null: nothing. */
  readonly existing: DropEntry | null;
  /** A new file takes its place. */
  readonly truncates: boolean;
  /** Where each write goes to the end, whatever its offset. */
  readonly appends: boolean;
  /** As the session was given it before; undefined: it did not ask. */
  readonly knownSize: KnownSize | undefined;
  /** For writes that came before those that belong before them. */
  readonly heldBudgets: readonly ByteBudget[];
  /** Once, when it is over. `why` of one that was cut. */
  readonly onEnd: (kind: 'received' | 'cut', sizeBytes: number, why?: string) => void;
}

/** The answer to a WRITE; without an error it is written, though not durable before the CLOSE. */
export interface SettledWrite {
  readonly id: number;
  readonly error: unknown;
}

/** A file that is open for writing. Its writes may come in any order within a window, and must leave no hole. */
export interface Upload {
  readonly kind: 'upload';
  readonly path: DropPath;
  /** Since when, as `performance.now()` says it, writes wait for the same one that belongs before them; null: none waits. */
  readonly heldSinceMs: number | null;
  /** From its start to the end of what was written. */
  readonly sizeBytes: number;
  /** Answers the writes that are settled by this one. */
  write(write: HeldWrite): Promise<readonly SettledWrite[]>;
  /** What those wait for will not come: their answers. */
  failHeld(): readonly SettledWrite[];
  /** What was written is durable when it resolves. */
  sync(): Promise<void>;
  /** It has arrived, and is durable when it resolves. Throws, and is cut, where a write failed. */
  finish(): Promise<void>;
  /** It has not arrived, and can be resumed. */
  cut(why: string): Promise<void>;
}

/** Each makes an object of its own in an object store. */
const maxSyncs = 100;

/** Opens a file for writing. One that is there stays as it is until the first write, unless it is truncated. */
export async function openUpload(options: UploadOptions): Promise<Upload> {
  const { folders, path, existing, truncates, heldBudgets, onEnd } = options;
  const held = createHeldWrites(heldBudgets);
  let upload: DropUpload | null = null;
  /** Where the next write of the file begins, in offsets of the client. */
  let next = existing && !truncates ? existing.sizeBytes : 0;
  /** Added to the offsets of a client that counts them from its own first byte. */
  let shiftBytes = 0;
  let beganAt = next;
  let failure: unknown = null;
  let syncs = 0;
  /** When the last write was settled, or the first one held. */
  let lastMs = 0;
  if (truncates || existing === null) upload = await folders.receive(path, { at: 'begin' });

  const begin = async (offsetBytes: number): Promise<DropUpload> => {
    const start = startOf(options, offsetBytes);
    const begun = await folders.receive(path, start);
    if (options.appends) shiftBytes = next - offsetBytes;
    else next = offsetBytes;
    beganAt = next;
    return begun;
  };
  const writeNext = async ({ offsetBytes, data }: HeldWrite): Promise<void> => {
    upload ??= await begin(offsetBytes);
    if (data.length > 0) await upload.write(data);
    next += data.length;
  };
  const settle = async (write: HeldWrite): Promise<SettledWrite> => {
    try {
      if (failure !== null) throw failure;
      await writeNext(write);
      return { id: write.id, error: null };
    } catch (error) {
      failure ??= error;
      return { id: write.id, error };
    }
  };
  const failHeld = (error: unknown): readonly SettledWrite[] => {
    failure ??= error;
    return held.takeAll().map(({ id }) => ({ id, error }));
  };
  const end = async (kind: 'received' | 'cut', why?: string): Promise<void> => {
    const ended = upload;
    upload = null;
    if (ended === null) return;
    const sizeBytes = next - beganAt;
    if (kind === 'received') await ended.finish();
    else await ended.cut();
    onEnd(kind, sizeBytes, why);
  };

  return {
    kind: 'upload',
    path,
    get heldSinceMs() {
      return held.count > 0 ? lastMs : null;
    },
    get sizeBytes() {
      return next;
    },
    async write(write) {
      const isFirst = upload === null && failure === null;
      const at = write.offsetBytes + shiftBytes;
      // The first of a file that is there may go anywhere within it.
      const isNext = isFirst ? options.appends || at <= next : at === next;
      if (failure !== null || isNext) {
        const settled = [await settle(write)];
        lastMs = performance.now();
        for (let more = held.takeAt(next - shiftBytes); more; more = held.takeAt(next - shiftBytes))
          settled.push(await settle(more));
        return failure === null ? settled : [...settled, ...failHeld(failure)];
      }
      const isFirstHeld = held.count === 0;
      if (at > next && held.hold(write)) {
        if (isFirstHeld) lastMs = performance.now();
        return [];
      }
      const error = at > next ? tooFarAhead() : overwrites();
      return [...failHeld(error), { id: write.id, error }];
    },
    failHeld: () => (held.count === 0 ? [] : failHeld(hole())),
    sync: async () => {
      if (failure !== null) throw failure;
      if (++syncs > maxSyncs)
        throw new Refusal(statusCodes.failure, 'Close the file: it is on disk for good then.');
      await upload?.sync().catch((error: unknown) => {
        failure ??= error;
        throw error;
      });
    },
    async finish() {
      held.takeAll();
      // A part that was whole already: its last CLOSE was lost.
      if (failure === null && upload === null && (await folders.find(path))?.isPart)
        upload = await folders.receive(path, { at: 'end', knownBytes: next });
      if (failure === null) return end('received');
      await end('cut', failure instanceof Error ? failure.message : 'a write failed');
      throw failure;
    },
    cut: (why) => {
      held.takeAll();
      return end('cut', why);
    },
  };
}

/** How to go on with a file that is there, by the offset of the first write. Throws `busy` where the client knows another size. */
function startOf({ existing, appends, knownSize }: UploadOptions, offsetBytes: number): UploadStart {
  const sizeBytes = existing?.sizeBytes ?? 0;
  if (!appends) return offsetBytes === 0 ? { at: 'begin' } : { at: 'offset', offsetBytes };
  const isKnown = offsetBytes === sizeBytes || (offsetBytes === 0 && (knownSize ?? sizeBytes) === sizeBytes);
  if (isKnown) return { at: 'end', knownBytes: sizeBytes };
  throw new DropError(
    'busy',
    `the file has ${sizeBytes} bytes, and is appended to from ${offsetBytes} on: ask for its size again, or send it whole`,
  );
}

function overwrites(): Refusal {
  return new Refusal(
    statusCodes.opUnsupported,
    'Bytes that were written cannot be changed: send the file from its start.',
  );
}

function tooFarAhead(): Refusal {
  return new Refusal(statusCodes.opUnsupported, 'A file is written from its start on, without a hole.');
}

function hole(): Refusal {
  return new Refusal(statusCodes.failure, 'The bytes before these did not come: a file has no hole.');
}
