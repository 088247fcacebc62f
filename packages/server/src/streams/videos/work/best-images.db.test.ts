import { type Analysis, EngineError, type FrameSource } from '@lynceus/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStreamDatabase, type StreamDatabase } from '../../fixtures/stream-database.js';
import { createBestImages } from './best-images.js';

let stored: StreamDatabase;
beforeAll(async () => {
  stored = await openStreamDatabase();
});
afterAll(() => stored.close());

const frame: FrameSource = { kind: 'frame', path: '/nowhere', width: 640, height: 480 };
const box = { xMin: 10, yMin: 20, xMax: 110, yMax: 220 };

/** Images whose cropping answers these in turn. */
function openImages(answers: readonly (string | Error)[]) {
  const { media, accountId } = stored;
  const failures: EngineError[] = [];
  let next = 0;
  const images = createBestImages({
    runner: {
      async analyse(): Promise<Analysis> {
        const answer = answers[next++];
        if (typeof answer !== 'string') throw answer;
        const draw = { jpeg: Buffer.from(answer), width: 100, height: 100 };
        const image = { kind: 'frame', width: 640, height: 480 } as const;
        return { image, models: [], timingsMs: {}, results: { draw } };
      },
    },
    ...{ media, accountId, videoId: 1, maxImages: 10, maxPixels: 1e8 },
    onFailure: (error) => failures.push(error),
    signal: new AbortController().signal,
  });
  const read = async (id: string | null) => {
    const blob = id === null ? null : await media.files.read(id);
    const pieces: Buffer[] = [];
    for await (const piece of blob?.stream ?? []) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces).toString();
  };
  return { images, failures, read };
}

test('an error of the engine costs one image alone, and is reported once', async () => {
  const crashed = new EngineError('process-crashed', 'the process crashed');
  const other = new EngineError('internal', 'a bug');
  const { images, failures, read } = openImages(['first', crashed, other, 'another']);
  await images.keep(1, frame, box);
  await images.keep(1, frame, box);
  await images.keep(2, frame, box);
  await images.keep(3, frame, box);
  expect(await read(await images.write(1, null))).toBe('first');
  expect(await images.write(2, null)).toBeNull();
  expect(await read(await images.write(3, null))).toBe('another');
  expect(failures).toEqual([crashed]);
  expect(images.rows()).toHaveLength(2);
  await images.discard();
});

test('what is no error of the engine ends the work', async () => {
  const { images } = openImages([new Error('the spool is away')]);
  await expect(images.keep(1, frame, box)).rejects.toThrow('the spool is away');
});
