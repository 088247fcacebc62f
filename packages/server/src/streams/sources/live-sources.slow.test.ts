import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { findFreePort } from '../../delivery/fixtures/started-program.js';
import { type MediaServer, startMediaServer } from '../fixtures/media-server.js';
import { argumentsOf, processesOf } from '../fixtures/processes.js';
import { haveFfmpeg } from '../fixtures/programs.js';
import { serveFolder } from '../fixtures/serve-folder.js';
import { openTestStream } from '../fixtures/test-stream.js';

const maybe = test.skipIf(!haveFfmpeg());
const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of cleanUp.splice(0).reverse()) await each();
});

async function open(...args: Parameters<typeof openTestStream>) {
  const stream = await openTestStream(...args);
  cleanUp.push(() => stream.close());
  return stream;
}

async function startMedia(name: string): Promise<MediaServer> {
  const server = await startMediaServer(name);
  cleanUp.push(() => server.stop());
  return server;
}

maybe('RTMP gives frames, and its key is in no argument', async () => {
  const server = await startMedia('key-of-stream');
  const stream = await open({ kind: 'rtmp', url: server.rtmpUrl });
  expect(await stream.frame()).toMatchObject({ width: 640, height: 360 });
  const group = stream.stats()?.pid ?? 0;
  const shown = processesOf(group).map(argumentsOf).join('\n');
  expect(shown).toContain('ffmpeg');
  expect(shown).not.toContain('key-of-stream');
  for (let count = 0; count < 10; count += 1) await stream.frame();
  await server.stop();
  await expect.poll(() => stream.state().kind).toBe('away');
  await expect.poll(() => processesOf(group)).toEqual([]);
});

maybe('FLV over HTTP gives frames', async () => {
  const server = await startMedia('camera');
  const stream = await open({ kind: 'hls', url: server.flvUrl });
  for (let count = 0; count < 5; count += 1) expect(await stream.frame()).toMatchObject({ width: 640 });
});

maybe('a live HLS stream gives frames at the pace of the camera, and comes back', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'live-hls-'));
  cleanUp.push(() => rm(dir, { recursive: true, force: true }));
  const writer = spawn(
    'ffmpeg',
    [
      ...['-nostdin', '-loglevel', 'error', '-re', '-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=10'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10', '-pix_fmt', 'yuv420p'],
      ...['-f', 'hls', '-hls_time', '1', '-hls_list_size', '5', '-hls_flags', 'delete_segments', 'live.m3u8'],
    ],
    { cwd: dir, stdio: 'ignore' },
  );
  cleanUp.push(async () => {
    writer.kill('SIGKILL');
    await once(writer, 'exit');
  });
  let server = await serveFolder(dir);
  cleanUp.push(() => server.stop());
  const stream = await open({ kind: 'hls', url: `${server.url}/live.m3u8` });
  await stream.frame();
  const before = stream.stats()?.frames ?? 0;
  const startedAt = performance.now();
  while (performance.now() - startedAt < 6000) await stream.frame();
  const perSecond = ((stream.stats()?.frames ?? 0) - before) / 6;
  expect(perSecond).toBeGreaterThan(4);
  await server.stop();
  await expect.poll(() => stream.state().kind).toBe('away');
  server = await serveFolder(dir, server.port);
  await stream.frame();
});

maybe("ffmpeg's own MJPEG server gives frames", async () => {
  const port = await findFreePort();
  const camera = spawn(
    'ffmpeg',
    [
      ...['-nostdin', '-loglevel', 'error', '-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=10'],
      ...['-f', 'mpjpeg', '-listen', '1', `http://127.0.0.1:${port}/cam.mjpg`],
    ],
    { stdio: 'ignore' },
  );
  cleanUp.push(() => camera.kill('SIGKILL'));
  const stream = await open({ kind: 'mjpeg', url: `http://127.0.0.1:${port}/cam.mjpg` });
  for (let count = 0; count < 5; count += 1) expect(await stream.frame()).toMatchObject({ width: 320 });
});
