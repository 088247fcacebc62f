import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sendMjpeg, startHttpCamera } from '../fixtures/http-camera.js';
import { argumentsOf, processesOf } from '../fixtures/processes.js';
import { haveFfmpeg } from '../fixtures/programs.js';
import { serveFolder } from '../fixtures/serve-folder.js';
import { openTestStream } from '../fixtures/test-stream.js';
import { makeVideo, runFfmpeg } from '../fixtures/videos.js';

const isHere = haveFfmpeg();
const maybe = test.skipIf(!isHere);
let dir: string;
let images: Buffer[] = [];
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'http-cameras-'));
  if (!isHere) return;
  await runFfmpeg(dir, ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=5', '-frames:v', '5', 'p%d.jpg']);
  images = await Promise.all([1, 2, 3, 4, 5].map((number) => readFile(join(dir, `p${number}.jpg`))));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const each of cleanUp.splice(0).reverse()) await each();
});

/** Digest with MD5, as cameras of the last twenty years ask for it. */
function isAuthorized(request: IncomingMessage, user: string, password: string): boolean {
  const md5 = (text: string) => createHash('md5').update(text).digest('hex');
  const [, response] = /response="([0-9a-f]{32})"/.exec(request.headers.authorization ?? '') ?? [];
  const secret = md5(`${user}:camera:${password}`);
  return response === md5(`${secret}:0123:${md5(`GET:${request.url}`)}`);
}

maybe(
  'an MJPEG camera with digest authentication gives frames, comes back, and shows no password',
  async () => {
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      if (isAuthorized(request, 'viewer', 'pass word')) sendMjpeg(response, images, 10);
      else response.writeHead(401, { 'www-authenticate': 'Digest realm="camera", nonce="0123"' }).end();
    };
    let camera = await startHttpCamera(answer);
    cleanUp.push(() => camera.stop());
    const stream = await openTestStream({
      kind: 'mjpeg',
      url: `http://viewer:pass%20word@127.0.0.1:${camera.port}/axis-cgi/mjpg/video.cgi?resolution=320x240`,
    });
    cleanUp.push(() => stream.close());
    for (let kill = 0; kill < 2; kill += 1) {
      expect(await stream.frame()).toMatchObject({ width: 320, height: 240 });
      const shown = processesOf(stream.stats()?.pid ?? 0)
        .map(argumentsOf)
        .join('\n');
      expect(shown).not.toMatch(new RegExp(`viewer|pass word|pass%20|axis|:${camera.port}/`));
      await camera.stop();
      await expect.poll(() => stream.state().kind).toBe('away');
      camera = await startHttpCamera(answer, camera.port);
    }
    expect(await stream.frame()).toMatchObject({ width: 320, height: 240 });
    expect(stream.stats()?.video).toMatchObject({ codec: 'mjpeg' });
  },
);

maybe('of the streams of an HLS playlist the one that fits is shown, encrypted as it is', async () => {
  await makeVideo(dir, 'small.m3u8', {
    seconds: 4,
    args: [
      '-hls_time',
      '1',
      '-hls_enc',
      '1',
      '-hls_enc_key',
      '0123456789abcdef',
      '-hls_enc_key_url',
      'stream.key',
      '-hls_list_size',
      '0',
    ],
  });
  await makeVideo(dir, 'large.m3u8', { seconds: 1, width: 1920, height: 1080 });
  await writeFile(
    join(dir, 'all.m3u8'),
    [
      '#EXTM3U',
      '#EXT-X-STREAM-INF:BANDWIDTH=9000,RESOLUTION=1920x1080',
      'large.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=900,RESOLUTION=320x180',
      'small.m3u8',
      '',
    ].join('\n'),
  );
  const server = await serveFolder(dir);
  cleanUp.push(() => server.stop());
  const stream = await openTestStream(
    { kind: 'hls', url: `${server.url}/all.m3u8?token=abc` },
    {},
    { preferredWidth: 320 },
  );
  cleanUp.push(() => stream.close());
  const first = await stream.frame();
  expect(first).toMatchObject({ width: 320, height: 180 });
  // Segments come at once, frames in their time: none is lost.
  for (let count = 0; count < 8; count += 1) await stream.frame();
  expect(server.requests.map(({ path }) => path)).not.toContain('/large.m3u8');
  expect(server.requests.map(({ path }) => path)).toContain('/stream.key');
});

/** What cameras send before, and after, each of their images. */
const framings: readonly (readonly [
  string,
  Record<string, string>,
  (image: Buffer, index: number) => string,
  string,
])[] = [
  [
    'its first boundary missing',
    { 'content-type': 'multipart/x-mixed-replace; boundary=frame' },
    (_, index) => `${index === 0 ? '' : '--frame\r\n'}Content-Type: image/jpeg\r\n\r\n`,
    '\r\n',
  ],
  [
    'parts without a type',
    { 'content-type': 'multipart/x-mixed-replace;boundary=frame' },
    () => '--frame\r\n\r\n',
    '\r\n',
  ],
  [
    'a boundary without dashes',
    { 'content-type': 'multipart/x-mixed-replace;boundary=frame' },
    () => 'frame\r\nContent-Type: image/jpeg\r\n\r\n',
    '\r\n',
  ],
  [
    'a quoted boundary with dashes of its own',
    { 'content-type': 'multipart/x-mixed-replace; boundary="--my boundary"' },
    () => '----my boundary\r\ncontent-type:image/jpeg\r\n\r\n',
    '\r\n',
  ],
  [
    'lines that end by a line feed',
    { 'content-type': 'multipart/x-mixed-replace; boundary=frame' },
    () => '--frame\nContent-Type: image/jpeg\n\n',
    '\n',
  ],
  [
    'lengths that are too short',
    { 'content-type': 'multipart/x-mixed-replace; boundary=frame' },
    () => '--frame\r\nContent-Type: image/jpeg\r\nContent-Length: 12\r\n\r\n',
    '\r\n',
  ],
  [
    'lengths that are too long',
    { 'content-type': 'multipart/x-mixed-replace; boundary=frame' },
    ({ length }) => `--frame\r\nContent-Type: image/jpeg\r\nContent-Length: ${length + 9999}\r\n\r\n`,
    '\r\n',
  ],
  [
    'bytes behind its images',
    { 'content-type': 'multipart/x-mixed-replace; boundary=frame' },
    () => '--frame\r\nContent-Type: image/jpg\r\n\r\n',
    '\0\0\0timestamp=1\0\r\n',
  ],
  ['no type at all', {}, () => '--frame\r\nContent-Type: image/jpeg\r\n\r\n', '\r\n'],
  ['images one after the other', { 'content-type': 'image/jpeg' }, () => '', ''],
];

maybe.each(framings)('an MJPEG camera with %s gives frames', async (_name, headers, before, after) => {
  const camera = await startHttpCamera((_request, response) => {
    response.writeHead(200, headers);
    let index = 0;
    const timer = setInterval(() => {
      const image = images.at(index % images.length) ?? Buffer.alloc(0);
      response.write(Buffer.concat([Buffer.from(before(image, index)), image, Buffer.from(after)]));
      index += 1;
    }, 100);
    response.once('close', () => clearInterval(timer));
  });
  cleanUp.push(() => camera.stop());
  const stream = await openTestStream({ kind: 'mjpeg', url: `${camera.url}/video` });
  cleanUp.push(() => stream.close());
  expect(await stream.frame()).toMatchObject({ width: 320, height: 240 });
  expect(await stream.frame()).toMatchObject({ width: 320, height: 240 });
  expect(stream.states.filter(({ kind }) => kind === 'away')).toEqual([]);
});

maybe('a stream that begins with seconds of sound alone gives frames', async () => {
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=6', '-c:a', 'aac', '-streamid', '0:257', 'sound.ts'];
  await runFfmpeg(dir, sound);
  await makeVideo(dir, 'video.ts', { seconds: 3, args: ['-output_ts_offset', '6'] });
  const both = await Promise.all(['sound.ts', 'video.ts'].map((name) => readFile(join(dir, name))));
  await writeFile(join(dir, 'both.ts'), Buffer.concat(both));
  const server = await serveFolder(dir);
  cleanUp.push(() => server.stop());
  const stream = await openTestStream({ kind: 'hls', url: `${server.url}/both.ts` });
  cleanUp.push(() => stream.close());
  expect(await stream.frame()).toMatchObject({ width: 320 });
});
