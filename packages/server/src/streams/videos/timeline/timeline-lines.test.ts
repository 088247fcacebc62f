import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { plantedTrack } from '../fixtures/insert-video.js';
import type { Timeline } from './timeline.js';
import { readTimelineLines, writeTimelineLines } from './timeline-lines.js';

const timeline: Timeline = {
  isCut: false,
  people: [{ id: 1001, intervals: [{ startSeconds: 0, endSeconds: 1 }] }],
  texts: [{ text: 'a\nb\u2028c', intervals: [] }],
  classes: [],
  imageClasses: [],
  tracks: Array.from({ length: 1000 }, (_, id) => ({ ...plantedTrack, id })),
};

test('a timeline is read as it was written', async () => {
  const { summary, tracks } = await readTimelineLines(Readable.from(writeTimelineLines(timeline)));
  const { tracks: written, ...rest } = timeline;
  expect(summary).toEqual(rest);
  const read = [];
  for await (const track of tracks) read.push(track);
  expect(read).toEqual(written);
});

test('whoever reads no further holds no file, and a file that breaks off is an error', async () => {
  const file = Readable.from(writeTimelineLines(timeline));
  const { close } = await readTimelineLines(file);
  close();
  expect(file.destroyed).toBe(true);
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from(`${JSON.stringify({ ...timeline, tracks: undefined })}\n{"id":1}\n`);
      throw new Error('the disk is gone');
    })(),
  );
  const reader = await readTimelineLines(broken).catch((error: Error) => error);
  const read = async () => {
    if (reader instanceof Error) throw reader;
    for await (const track of reader.tracks) expect(track).toEqual({ id: 1 });
  };
  await expect(read()).rejects.toThrow('the disk is gone');
  await expect(readTimelineLines(Readable.from([]))).rejects.toThrow('empty');
});
