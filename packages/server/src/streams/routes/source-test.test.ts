import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { type HttpCamera, startHttpCamera } from '../fixtures/http-camera.js';
import { haveFfmpeg } from '../fixtures/programs.js';
import { startTestCamera, type TestCamera } from '../fixtures/test-camera.js';

describe.skipIf(!haveFfmpeg())('a source that is tried', () => {
  let service: TestService;
  let camera: TestCamera;
  let snapshots: HttpCamera;
  const jpeg = Buffer.from('a frame');
  /** By its markers alone: nothing of it is decoded. */
  const image = Buffer.from('ffd8ffe000040102ffda00080101000000000102030405ffd9', 'hex');
  beforeAll(async () => {
    [service, camera] = [
      await startTestService({ streamAllowedNetworks: '127.0.0.0/8' }),
      await startTestCamera(),
    ];
    snapshots = await startHttpCamera((_request, response) =>
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end(image),
    );
    service.runner.script = async () => ({ draw: { jpeg, width: 640, height: 480 } });
  });
  afterAll(async () => {
    await service.stop();
    await camera.stop();
    await snapshots.stop();
  });

  const tryIt = async (source: object | undefined, path = '/api/streams/test') =>
    callApi(service, path, { method: 'POST', body: source === undefined ? {} : { source } });

  test('answers with a frame and its size, and leaves nothing open', async () => {
    const { status, json } = await tryIt({ ...camera.source, substream: { address: camera.source.address } });
    expect([status, json]).toEqual([
      200,
      { ok: true, reason: null, width: 640, height: 480, frame: jpeg.toString('base64') },
    ]);
    expect(service.runner.seen.at(-1)).toMatchObject({ kind: 'frame', tasks: ['draw'] });
    await expect.poll(() => camera.counts.open, { timeout: 30_000 }).toBe(0);
    expect(await service.filesInSpool()).toEqual([]);
  });

  test.each<[string, () => object, RegExp]>([
    [
      'an address that is not allowed',
      () => ({ kind: 'mjpeg', address: 'http://169.254.169.254/a' }),
      /not allowed/,
    ],
    ['a port where nobody listens', () => ({ kind: 'rtsp', address: 'rtsp://127.0.0.1:1029/' }), /./],
    [
      'a substream that is not there',
      () => ({ ...camera.source, substream: { address: 'http://169.254.169.254/a' } }),
      /^substream: .*not allowed/,
    ],
    [
      'an address of a single image',
      () => ({ kind: 'mjpeg', address: `${snapshots.url}/snapshot.jpg` }),
      /a single image \(a snapshot\) and no stream; use the address of the motion JPEG/,
    ],
  ])('with %s says why there is no frame', async (_, source, reason) => {
    const { status, json } = await tryIt(source());
    expect([status, json]).toEqual([
      200,
      { ok: false, reason: expect.stringMatching(reason), width: null, height: null, frame: null },
    ]);
  });

  test('is that of a stream, or another in its place', async () => {
    const body = { name: 'camera', source: camera.source, enabled: false };
    const { json: stream } = await callApi(service, '/api/streams', { method: 'POST', body });
    expect((await tryIt(undefined, `/api/streams/${stream.id}/test`)).json).toMatchObject({ ok: true });
    const other = { kind: 'mjpeg', address: 'http://169.254.169.254/a' };
    expect((await tryIt(other, `/api/streams/${stream.id}/test`)).json).toMatchObject({ ok: false });
    expect((await tryIt({ kind: 'usb', device: '/dev/video9' })).status).toBe(400);
  });

  test('is one of two at once of an account, and ends with its client', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const leaving = new AbortController();
    const ask = (signal?: AbortSignal) =>
      fetch(`${service.base}/api/streams/test`, {
        method: 'POST',
        headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
        body: JSON.stringify({ source: { kind: 'mjpeg', address: `http://127.0.0.1:${port}/` } }),
        ...(signal ? { signal } : {}),
      });
    const connections: object[] = [];
    silent.on('connection', (socket) => connections.push(socket.on('error', () => undefined)));
    const waiting = [ask(leaving.signal), ask(leaving.signal)].map((each) => each.catch(() => undefined));
    await expect.poll(() => connections.length, { timeout: 30_000 }).toBe(2);
    expect((await ask()).status).toBe(429);
    leaving.abort();
    await Promise.all(waiting);
    await expect.poll(async () => (await tryIt(camera.source)).json.ok, { timeout: 30_000 }).toBe(true);
    silent.close();
  });
});
