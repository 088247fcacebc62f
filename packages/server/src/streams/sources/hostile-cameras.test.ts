import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sendMjpeg, startHttpCamera } from '../fixtures/http-camera.js';
import { processesOf } from '../fixtures/processes.js';
import { haveFfmpeg } from '../fixtures/programs.js';
import { plainCamera, startScriptedRtsp } from '../fixtures/scripted-rtsp.js';
import { openTestStream } from '../fixtures/test-stream.js';
import { runFfmpeg } from '../fixtures/videos.js';
import { headerOf } from './rtsp-messages.js';

const isHere = haveFfmpeg();
const maybe = test.skipIf(!isHere);
let dir: string;
let small: Buffer[] = [];
let large: Buffer[] = [];
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hostile-cameras-'));
  if (!isHere) return;
  const render = async (name: string, size: string) => {
    await runFfmpeg(dir, [
      '-f',
      'lavfi',
      '-i',
      `testsrc2=size=${size}:rate=5`,
      '-frames:v',
      '3',
      `${name}%d.jpg`,
    ]);
    return Promise.all([1, 2, 3].map((number) => readFile(join(dir, `${name}${number}.jpg`))));
  };
  small = await render('small', '160x120');
  large = await render('large', '320x240');
});
afterAll(() => rm(dir, { recursive: true, force: true }));
const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const each of cleanUp.splice(0).reverse()) await each();
});

async function open(...args: Parameters<typeof openTestStream>) {
  const stream = await openTestStream(...args);
  cleanUp.push(() => stream.close());
  return stream;
}

async function startCamera(...args: Parameters<typeof startHttpCamera>) {
  const camera = await startHttpCamera(...args);
  cleanUp.push(() => camera.stop());
  return camera;
}

maybe('a camera that changes the size of its pictures in mid-stream is read in the new size', async () => {
  let pictures = small;
  const camera = await startCamera((_request, response) => {
    sendMjpeg(
      response,
      {
        get length() {
          return pictures.length;
        },
        at: (index) => pictures[index],
      },
      15,
    );
  });
  const stream = await open(
    { kind: 'mjpeg', url: camera.url },
    { firstRetryMs: 3_600_000, maxRetryMs: 3_600_000 },
  );
  expect(await stream.frame()).toMatchObject({ width: 160, height: 120 });
  pictures = large;
  await expect.poll(async () => (await stream.frame()).width).toBe(320);
  // It did not fail, so there was no pause.
  expect(stream.states.map(({ kind }) => kind)).not.toContain('away');
});

maybe('pictures of sixteen thousand pixels are not decoded', async () => {
  const huge = small.map((picture) => {
    const changed = Buffer.from(picture);
    // The size is in the frame's head (ISO 10918-1): marker, length, precision, height, width.
    const head = changed.indexOf(Buffer.from([0xff, 0xc0]));
    changed.writeUInt16BE(16_000, head + 5);
    changed.writeUInt16BE(16_000, head + 7);
    return changed;
  });
  const camera = await startCamera((_request, response) => sendMjpeg(response, huge, 15));
  const stream = await open({ kind: 'mjpeg', url: camera.url }, { firstFrameMs: 2000 });
  await expect
    .poll(() => stream.state())
    .toMatchObject({
      kind: 'away',
      failure: { code: 'protocol', message: expect.stringContaining('no video that ffmpeg understands') },
    });
});

maybe('a camera that stops sending pictures is opened again', async () => {
  const camera = await startCamera((_request, response) => {
    sendMjpeg(response, small, 15, 10);
  });
  const stream = await open({ kind: 'mjpeg', url: camera.url }, { stallMs: 500 });
  await stream.frame();
  await expect
    .poll(() => stream.state())
    .toMatchObject({
      kind: 'away',
      failure: { code: 'timeout', message: 'no picture has come for 0.5 s' },
    });
  await stream.frame();
  expect(camera.requests.length).toBeGreaterThan(1);
});

maybe('a camera that plays and sends nothing, or no video that can be decoded, has failed', async () => {
  for (const hasNoise of [false, true]) {
    const camera = await startScriptedRtsp({
      answer(request, socket) {
        const answer = plainCamera(request).replace('CSEQ', headerOf(request.message, 'cseq') ?? '');
        if (request.method === 'PLAY' && hasNoise) {
          let sequence = 0;
          const timer = setInterval(() => {
            const frame = Buffer.concat([
              Buffer.from([0x24, 0, 0, 212, 0x80, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
              randomBytes(200),
            ]);
            sequence += 1;
            frame.writeUInt16BE(sequence & 0xffff, 6);
            frame.writeUInt32BE(sequence * 3000, 8);
            socket.write(frame);
          }, 2);
          socket.once('close', () => clearInterval(timer));
        }
        return answer;
      },
    });
    cleanUp.push(() => camera.stop());
    const stream = await open({ kind: 'rtsp', url: camera.url }, { firstFrameMs: 1000 });
    await expect.poll(() => stream.stats()?.pid ?? 0).toBeGreaterThan(0);
    const group = stream.stats()?.pid ?? 0;
    await expect.poll(() => stream.state().kind).toBe('away');
    expect(stream.state()).toMatchObject({ failure: { name: 'StreamFailure' } });
    await expect.poll(() => processesOf(group)).toEqual([]);
    await stream.close();
    await expect.poll(() => camera.counts.open).toBe(0);
  }
});
