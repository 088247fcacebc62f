import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Timeline, TimelineSummary, TimelineTrack } from './timeline.js';

export const timelineMediaType = 'application/jsonl';

const tracksOfPiece = 200;

/** A timeline as its file has it: the summary and each track as a line of JSON, so that nobody needs all of it at once. */
export async function* writeTimelineLines({ tracks, ...summary }: Timeline): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(summary)}\n`);
  for (let at = 0; at < tracks.length; at += tracksOfPiece) {
    const lines = tracks.slice(at, at + tracksOfPiece).map((track) => `${JSON.stringify(track)}\n`);
    yield Buffer.from(lines.join(''));
  }
}

interface TimelineReader {
  readonly summary: TimelineSummary;
  readonly tracks: AsyncIterable<TimelineTrack>;
  /** Reads no further; after the end too. */
  close(): void;
}

/** Reads what `writeTimelineLines` wrote. */
export async function readTimelineLines(file: Readable): Promise<TimelineReader> {
  const lines = createInterface({ input: file, crlfDelay: Number.POSITIVE_INFINITY });
  // Whoever reads the lines gets no error of the file.
  let failure: Error | undefined;
  file.once('error', (error) => {
    failure = error;
    lines.close();
  });
  const iterator = lines[Symbol.asyncIterator]();
  const close = () => {
    lines.close();
    file.destroy();
  };
  const { value, done } = await iterator.next();
  if (done === true) {
    close();
    throw failure ?? new Error('the timeline is empty');
  }
  async function* read(): AsyncGenerator<TimelineTrack> {
    try {
      for (;;) {
        const next = await iterator.next();
        if (failure) throw failure;
        if (next.done === true) return;
        // Written by us alone.
        yield JSON.parse(next.value);
      }
    } finally {
      close();
    }
  }
  return { summary: JSON.parse(value), tracks: read(), close };
}
