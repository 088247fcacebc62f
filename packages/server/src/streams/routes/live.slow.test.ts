import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { type Followed, followEvents } from '../../http/api/fixtures/follow-events.js';
import { found } from '../../http/fixtures/scripted-runner.js';
import { isBehindNginx, type TestService } from '../../http/fixtures/test-service.js';
import { haveFfmpeg } from '../fixtures/programs.js';
import { startTestCamera, type TestCamera } from '../fixtures/test-camera.js';
import { addStream, person, seeing, startStreamService, until } from './fixtures/stream-service.js';

type Stream = Awaited<ReturnType<typeof addStream>>;

describe.skipIf(!haveFfmpeg())('the live view of a stream', () => {
  let service: TestService;
  let camera: TestCamera;
  let stream: Stream;
  beforeAll(async () => {
    service = await startStreamService({ eventStreamsPerAddress: 20 });
    camera = await startTestCamera();
    stream = await addStream(service, camera);
    await stream.until('running');
  });
  beforeEach(() => {
    service.runner.script = async () => seeing(person);
  });
  afterAll(async () => {
    await service.stop();
    await camera.stop();
  });

  const see = (query = '', headers: Record<string, string> = { 'x-api-key': service.key }) =>
    request(`${service.base}${stream.path}/latest.jpg${query}`, { headers });
  const drawings = () => service.runner.seen.filter(({ tasks }) => tasks.includes('draw'));
  const follow = (path: string, headers: Record<string, string> = { 'x-api-key': service.key }) =>
    followEvents(service, `${stream.path}/${path}`, headers);
  const partsOf = ({ text }: Followed) => text.split('--lynceus-frame').length - 2;

  test('answers the newest frame, drawn as it is asked for', async () => {
    const { statusCode, headers, body } = await see('?boxes=true&max_side=320');
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'image/jpeg',
      'no-store',
    ]);
    expect(await body.text()).toBe('a drawing');
    expect(Date.parse(String(headers['x-frame-time']))).toBeGreaterThan(Date.now() - 60_000);
    await until(async () => {
      await (await see('?boxes=true&max_side=320')).body.dump();
      expect(drawings().at(-1)?.options['draw']).toMatchObject({
        maxSidePx: 320,
        marks: [{ box: person.box, title: 'person', note: '0.90' }],
      });
    });
    await (await see()).body.dump();
    expect(drawings().at(-1)?.options['draw']).toMatchObject({ maxSidePx: 1280, marks: [] });
    for (const query of ['?max_side=10', '?boxes=perhaps', '?fps=3'])
      expect([query, (await see(query)).statusCode]).toEqual([query, 400]);
  });

  test('is motion JPEG, each part with its length', async () => {
    const followed = await follow('view.mjpg?fps=15');
    expect(followed.headers['content-type']).toBe('multipart/x-mixed-replace; boundary=lynceus-frame');
    await until(() => expect(partsOf(followed)).toBeGreaterThan(10));
    const part = 'content-type: image/jpeg\r\ncontent-length: 9\r\n\r\na drawing\r\n--lynceus-frame\r\n';
    expect(followed.text.startsWith(`--lynceus-frame\r\n${part}${part}`)).toBe(true);
    followed.leave();
  });

  test('shows as many frames a second as are asked for, drawn once for all', async () => {
    const before = drawings().length;
    const slow = await follow('view.mjpg?fps=0.5&max_side=111');
    const quick = await Promise.all([1, 2, 3].map(() => follow('view.mjpg?fps=15&max_side=111')));
    await until(() => expect(partsOf(quick[0] as Followed)).toBeGreaterThan(20));
    expect(partsOf(slow)).toBeLessThan(8);
    const drawn = drawings()
      .slice(before)
      .filter(({ options }) => Reflect.get(options['draw'] ?? {}, 'maxSidePx') === 111);
    const shown = quick.reduce((sum, followed) => sum + partsOf(followed), 0);
    expect(drawn.length).toBeLessThan(shown / 2);
    for (const followed of [slow, ...quick]) followed.leave();
  });

  test('tells of each analysed frame what v1 answers for an image', async () => {
    service.runner.script = async () => ({ ...found, detect: { calibration: null, detections: [person] } });
    const followed = await follow('tags');
    expect(followed.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      ...(isBehindNginx ? {} : { 'x-accel-buffering': 'no' }),
    });
    const events = () =>
      followed.text
        .split('\n\n')
        .flatMap((text) => (/^data: (.*)$/.test(text) ? [text.slice('data: '.length)] : []));
    await until(() => expect(events().length).toBeGreaterThan(2));
    const [text = ''] = events();
    expect(text).toMatch(
      /^\{"status": "ok", "predictions": \[\], "texts": \{.*"coordinates": "60,260,40,460", "score": 0\.9\}.*"predict_type": "basic", "stream_id": \d+, "frame_time": "20[^"]*Z"\}$/,
    );
    expect(new Set(events().map((each) => JSON.parse(each).frame_time)).size).toBe(events().length);
    followed.leave();
  });

  test('ends for who holds a key that is revoked, and for no other', async () => {
    const { key, keyId } = await service.makeKey('first');
    const [theirs, ours] = [await follow('view.mjpg', { 'x-api-key': key }), await follow('view.mjpg')];
    await until(() => expect(partsOf(theirs)).toBeGreaterThan(1));
    await callApi(service, `/api/keys/${keyId}?force=true`, { method: 'DELETE' });
    await until(() => expect(theirs.ended).toBe(true));
    const before = partsOf(ours);
    await until(() => expect(partsOf(ours)).toBeGreaterThan(before));
    ours.leave();
  });

  test('opens for a view token of this stream, also on pages of others, and for no other', async () => {
    const other = await addStream(service, camera, { schedule: [{ days: [0], from: '00:00', to: '00:01' }] });
    const tokenOf = async ({ path }: Stream) =>
      (await callApi(service, `${path}/view-tokens`, { method: 'POST', body: {} })).json.token;
    const good = await see(`?view_token=${await tokenOf(stream)}`, {});
    expect([good.statusCode, good.headers['cross-origin-resource-policy']]).toEqual([200, 'cross-origin']);
    await good.body.dump();
    expect((await see(`?view_token=${await tokenOf(other)}`, {})).statusCode).toBe(401);
    expect((await see('', {})).statusCode).toBe(401);
    expect((await see()).headers['cross-origin-resource-policy']).toBe('same-origin');
    await other.remove();
  });

  test('has as many viewers as event streams may be open, and slots come back', async () => {
    const watching = await Promise.all(Array.from({ length: 20 }, () => follow('view.mjpg?fps=1')));
    expect(watching.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const refused = await see();
    expect([refused.statusCode, await refused.body.text()]).toEqual([
      429,
      expect.stringContaining('too_many_requests'),
    ]);
    for (const followed of watching) followed.leave();
    await until(async () => expect((await see()).statusCode).toBe(200));
  });

  test.skipIf(isBehindNginx)('keeps nothing for a viewer who does not read', async () => {
    const image = Buffer.alloc(2_000_000, 7);
    service.runner.script = async () => ({
      ...seeing(person),
      draw: { jpeg: image, width: 640, height: 480 },
    });
    const socket = connect(service.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `GET ${stream.path}/view.mjpg?fps=15&max_side=222 HTTP/1.1\r\nhost: a\r\nx-api-key: ${service.key}\r\n\r\n`,
    );
    await once(socket, 'readable');
    const before = drawings().length;
    const seen = service.runner.seen.length;
    await until(() => expect(service.runner.seen.length - seen).toBeGreaterThan(60));
    // What the system's buffers take, and no more.
    expect(drawings().length - before).toBeLessThan(10);
    socket.destroy();
  });

  test.skipIf(isBehindNginx)('ends with its key for a viewer who does not read, too', async () => {
    const image = Buffer.alloc(2_000_000, 7);
    service.runner.script = async () => ({
      ...seeing(person),
      draw: { jpeg: image, width: 640, height: 480 },
    });
    const { key, keyId } = await service.makeKey('first');
    const served: Socket[] = [];
    const [server] = service.servers;
    server?.on('connection', (each: Socket) => served.push(each));
    const socket = connect(service.port, '127.0.0.1');
    await once(socket, 'connect');
    const ours = await vi.waitFor(() => {
      const one = served.find((each) => each.remotePort === socket.localPort);
      if (one === undefined) throw new Error('not connected yet');
      return one;
    });
    socket.write(
      `GET ${stream.path}/view.mjpg?fps=15&max_side=223 HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\n\r\n`,
    );
    await until(() => expect(ours.writableLength).toBeGreaterThan(0));
    await callApi(service, `/api/keys/${keyId}?force=true`, { method: 'DELETE' });
    await until(() => expect(ours.destroyed).toBe(true));
    socket.destroy();
  });

  test('ends with its stream', async () => {
    const own = await addStream(service, camera);
    const followed = await followEvents(service, `${own.path}/tags`, { 'x-api-key': service.key });
    await until(() => expect(followed.text).toContain('data: '));
    await own.remove();
    await until(() => expect(followed.ended).toBe(true));
    expect(
      (await request(`${service.base}${own.path}/view.mjpg`, { headers: { 'x-api-key': service.key } }))
        .statusCode,
    ).toBe(404);
  });

  test('says that there is no frame where there is none', async () => {
    const day = (new Date().getUTCDay() + 3) % 7;
    const own = await addStream(service, camera, { schedule: [{ days: [day], from: '08:00', to: '09:00' }] });
    await own.until('resting');
    const { status, json } = await callApi(service, `${own.path}/latest.jpg`);
    expect([status, json.code, json.detail]).toEqual([
      404,
      'not_found',
      expect.stringContaining('no frame now'),
    ]);
    await own.remove();
  });

  test('holds a service up that stops for no longer than it takes to end', async () => {
    const other = await startStreamService();
    const own = await addStream(other, camera);
    const followed = await followEvents(other, `${own.path}/view.mjpg`, { 'x-api-key': other.key });
    await until(() => expect(partsOf(followed)).toBeGreaterThan(1));
    await other.stop();
    expect(followed.ended).toBe(true);
  });
});
