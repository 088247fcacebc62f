import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFfmpeg } from './decoding/find-ffmpeg.js';
import { openDecoder } from './decoding/open-decoder.js';
import { haveFfmpeg } from './fixtures/programs.js';
import { runFfmpeg } from './fixtures/videos.js';
import { createMotionMeter, type MotionOptions } from './motion.js';
import { createFileSource } from './sources/file-source.js';

const maybe = test.skipIf(!haveFfmpeg());
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'motion-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** A room with some contrast, and the noise of a camera; then what happens in it. */
const room =
  'gradients=size=640x360:rate=10:c0=0x303030:c1=0xa0a0a0:x0=0:y0=0:x1=640:y1=360:speed=0.00001:seed=1';
const noise = 'noise=alls=12:allf=t';

/** The share that moves in each frame of six seconds, rendered by filters that follow the room, as a camera would send it. */
async function measure(name: string, filters: string, options: MotionOptions = {}): Promise<number[]> {
  const path = join(dir, `${name}.mp4`);
  await runFfmpeg(dir, [
    ...[
      '-f',
      'lavfi',
      '-i',
      `${room}[room];${walker}[box];[room][box]overlay=${filters}`,
      '-t',
      '6',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-crf',
      '28',
    ],
    ...['-g', '20', '-pix_fmt', 'yuv420p', path],
  ]);
  const decoder = await openDecoder(
    { source: createFileSource(path), ffmpeg: await findFfmpeg('ffmpeg'), fps: 5, pace: 'every-frame' },
    AbortSignal.timeout(120_000),
  );
  const meter = createMotionMeter(options);
  const shares: number[] = [];
  for (;;) {
    const frame = await decoder.next(AbortSignal.timeout(60_000));
    if (frame === null) break;
    shares.push(meter.look(frame.motion, frame.atMs));
  }
  await decoder.close();
  expect(shares).toHaveLength(30);
  return shares;
}

/** A bright box of 60 × 60 pixels, 1.6 % of the picture, that crosses the room in the last four seconds; or none. */
const walker = 'color=white:size=60x60:rate=10';
const box = "x='-100+(t-2)*150':y=150:shortest=0:enable='gte(t,2)'";
const nobody = 'x=-100';
/** The light goes on after three seconds: brighter, and more contrast. */
const lamp = "eq=brightness=0.12:contrast=1.25:enable='gte(t,3)'";

maybe('noise is no motion', async () => {
  expect(Math.max(...(await measure('still', `${nobody},${noise}`)))).toBeLessThan(0.003);
});

maybe('a box that moves is motion of about its size', async () => {
  const shares = await measure('box', `${box},${noise}`);
  const moving = shares.slice(15, 29);
  expect(Math.min(...moving)).toBeGreaterThan(0.008);
  expect(Math.max(...moving)).toBeLessThan(0.08);
  expect(Math.max(...shares.slice(0, 9))).toBeLessThan(0.003);
});

maybe('a lamp that is switched on is no motion, and a box is seen beside it', async () => {
  expect(Math.max(...(await measure('lamp', `${nobody},${lamp},${noise}`)))).toBeLessThan(0.01);
  const both = await measure('both', `${box},${lamp},${noise}`);
  expect(Math.min(...both.slice(16, 29))).toBeGreaterThan(0.008);
});

maybe('what is masked does not count', async () => {
  const shares = await measure('masked', `${box},${noise}`, { isMasked: (_x, y) => y > 0.35 && y < 0.65 });
  expect(Math.max(...shares)).toBeLessThan(0.003);
});

test('what stays becomes background', () => {
  const meter = createMotionMeter({ adaptMs: 1000 });
  const grey = (hasBox: boolean) => {
    const pixels = new Uint8Array(96 * 54).fill(100);
    if (hasBox) for (let y = 10; y < 20; y += 1) pixels.fill(200, y * 96 + 10, y * 96 + 20);
    return { width: 96, height: 54, pixels };
  };
  expect(meter.look(grey(false), 0)).toBe(0);
  expect(meter.look(grey(true), 200)).toBeCloseTo(100 / (96 * 54));
  for (let atMs = 400; atMs < 10_000; atMs += 200) meter.look(grey(true), atMs);
  expect(meter.look(grey(true), 10_000)).toBe(0);
  expect(meter.look(grey(false), 10_200)).toBeGreaterThan(0);
});

test('any pictures in any order of times give a share from 0 to 1', () => {
  const image = fc.tuple(
    fc.integer({ min: 1, max: 8 }),
    fc.integer({ min: 1, max: 8 }),
    fc.infiniteStream(fc.nat(255)),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(image, fc.integer()), { maxLength: 8 }),
      fc.boolean(),
      (looks, isMasked) => {
        const meter = createMotionMeter({ isMasked: () => isMasked });
        for (const [[width, height, values], atMs] of looks) {
          const pixels = Uint8Array.from({ length: width * height }, () => values.next().value ?? 0);
          const share = meter.look({ width, height, pixels }, atMs);
          expect(share >= 0 && share <= 1).toBe(true);
        }
      },
    ),
  );
});
