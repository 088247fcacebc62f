import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Parser, type ReadEntry } from 'tar';

/**
 * Reads a tar file, compressed or not, sequentially. `onEntry` answers with a promise when it takes an entry's bytes,
 * with `undefined` to skip them. What it throws or rejects with ends the reading. Nothing is
 * written here: the caller decides what to do with a name.
 */
export async function readTar(
  path: string,
  onEntry: (entry: ReadEntry) => Promise<void> | undefined,
  signal: AbortSignal,
): Promise<void> {
  const taken: Promise<void>[] = [];
  let failure: unknown;
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      try {
        const work = failure === undefined ? onEntry(entry) : undefined;
        if (work === undefined) entry.resume();
        else taken.push(work.catch((error) => fail(entry, error)));
      } catch (error) {
        fail(entry, error);
      }
    },
  });
  const fail = (entry: ReadEntry, error: unknown) => {
    failure ??= error;
    // The parser waits until the rest of the entry is consumed.
    entry.resume();
  };
  parser.on('error', (error: unknown) => {
    failure ??= error;
  });
  const ended = once(parser, 'end').catch(() => undefined);
  try {
    for await (const chunk of createReadStream(path, { signal, highWaterMark: 1 << 18 })) {
      if (!parser.write(chunk) && failure === undefined) await once(parser, 'drain');
      if (failure !== undefined) throw failure;
    }
    parser.end();
    await ended;
  } finally {
    // Otherwise writing continues in the background, into a folder that the caller removes.
    if (failure === undefined) await Promise.all(taken);
  }
  await Promise.all(taken);
  if (failure !== undefined) throw failure;
}
