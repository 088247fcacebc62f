import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { makeCertificate } from '../../delivery/fixtures/certificate.js';
import { startLiveHls } from '../fixtures/live-hls.js';
import { type MediaServer, startMediaServer } from '../fixtures/media-server.js';
import { startMjpegServer } from '../fixtures/mjpeg-server.js';
import { argumentsOf, processesOf } from '../fixtures/processes.js';
import { haveFfmpeg, haveOpenssl } from '../fixtures/programs.js';
import { openTestStream } from '../fixtures/test-stream.js';

const isHere = haveFfmpeg();
const maybe = test.skipIf(!isHere);
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

test.skipIf(!isHere || !haveOpenssl())(
  'RTMP over TLS gives frames, where its certificate is accepted',
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'rtmps-'));
    cleanUp.push(() => rm(dir, { recursive: true, force: true }));
    const server = await startMedia('camera');
    const { key, certificate: cert } = makeCertificate(dir, 'media');
    const sockets = new Set<Socket>();
    const proxy = createServer({ key, cert }, (client) => {
      const upstream = connect(Number(new URL(server.rtmpUrl).port), '127.0.0.1');
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
      }
      client.pipe(upstream).pipe(client);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    cleanUp.push(() => {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    });
    const address = proxy.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const url = `rtmps://127.0.0.1:${port}/live/camera`;
    const unchecked = await open({ kind: 'rtmp', url, isCertificateUnchecked: true });
    expect(await unchecked.frame()).toMatchObject({ width: 640 });
    const checked = await open({ kind: 'rtmp', url });
    await expect.poll(() => checked.state()).toMatchObject({ kind: 'away', failure: { code: 'identity' } });
  },
);

maybe('FLV over HTTP gives frames', async () => {
  const server = await startMedia('camera');
  const stream = await open({ kind: 'hls', url: server.flvUrl });
  for (let count = 0; count < 5; count += 1) expect(await stream.frame()).toMatchObject({ width: 640 });
});

maybe('a live HLS stream gives frames at the pace of the camera, and comes back', async () => {
  const server = await startLiveHls();
  cleanUp.push(() => server.stop());
  const stream = await open({ kind: 'hls', url: server.url });
  await stream.frame();
  const before = stream.stats()?.frames ?? 0;
  const startedAt = performance.now();
  while (performance.now() - startedAt < 6000) await stream.frame();
  const perSecond = ((stream.stats()?.frames ?? 0) - before) / 6;
  expect(perSecond).toBeGreaterThan(4);
  await server.stopServing();
  await expect.poll(() => stream.state().kind).toBe('away');
  await server.serveAgain();
  await stream.frame();
});

maybe("ffmpeg's own MJPEG server gives frames", async () => {
  const server = await startMjpegServer();
  cleanUp.push(() => server.stop());
  const stream = await open({ kind: 'mjpeg', url: server.url });
  for (let count = 0; count < 5; count += 1) expect(await stream.frame()).toMatchObject({ width: 320 });
});
