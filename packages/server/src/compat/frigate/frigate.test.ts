import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../delivery/fixtures/started-program.js';
import { enterAsAdministrator } from '../../http/fixtures/browser.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { insertEvent, insertStream, newTrack } from '../../streams/fixtures/insert-event.js';
import { insertTrack } from '../../streams/fixtures/insert-track.js';
import { frigateId } from '../../streams/outputs/frigate/frigate-id.js';
import { createFrameChannel } from '../../streams/previews/frame-channel.js';
import type { DrawnAs } from '../../streams/previews/shown-frame.js';
import { makeCompatKey } from '../common/fixtures/compat-client.js';
import { askFrom } from '../listeners/fixtures/ask-from.js';

const startedAtMs = 1_607_123_955_475;

let service: TestService;
let port: number;
let stream: Awaited<ReturnType<typeof insertStream>>;
let trackId: string;
let id: string;
beforeAll(async () => {
  port = await findFreePort();
  service = await startTestService({ compatListenerPorts: String(port), listenersIntervalMs: 50 });
  const { accountId, database } = service;
  stream = await insertStream(database, accountId, 'Front Door', {
    classes: [{ label: 'person', minScore: 0.5, minArea: 0 }],
    zones: [
      {
        name: 'porch',
        polygon: [
          [0, 0],
          [1, 0],
          [0.5, 1],
        ],
        classes: ['person'],
      },
    ],
  });
  trackId = await insertTrack(service, {
    ...{ accountId, streamId: stream.id, startedAtMs, zone: 'porch' },
    kinds: ['start', 'zone_entered', 'end'],
    snapshot: Buffer.from('jpeg'),
    clip: Buffer.from('0123456789'),
  });
  id = frigateId(trackId, startedAtMs);
  const administrator = await enterAsAdministrator(service);
  const { id: keyId } = await makeCompatKey(service, { protocol: 'frigate' });
  const body = { port, key_id: keyId, allowed_networks: ['127.0.0.1/32'] };
  const { status, json } = await administrator.call('/api/compat-listeners', { method: 'POST', body });
  expect([status, json.protocol, json.state]).toEqual([201, 'frigate', 'listening']);
});
afterAll(() => service.stop());

/** As clients ask: without a key. */
async function ask(path: string, init: RequestInit = {}) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
  const text = await answer.text();
  const type = answer.headers.get('content-type') ?? '';
  return {
    status: answer.status,
    headers: answer.headers,
    type,
    text,
    json: type.startsWith('application/json') ? JSON.parse(text) : null,
  };
}

test('a stream that runs shows its newest frame at the height that is asked for', async () => {
  const drawn: DrawnAs[] = [];
  const channel = createFrameChannel();
  channel.show({
    ...{ index: 1, atMs: 1, width: 1280, height: 720, result: null, marks: [] },
    async toJpeg(options) {
      drawn.push(options);
      return Buffer.from('frame');
    },
  });
  const preview = { channel, show: () => undefined, end: channel.end };
  const remove = service.runningStreams.previews.add(service.accountId, stream.id, preview);
  const { status, type, text } = await ask('/api/front_door/latest.jpg?h=360&bbox=1');
  expect([status, type, text]).toEqual([200, 'image/jpeg', 'frame']);
  expect(drawn).toEqual([{ hasBoxes: true, maxSidePx: 640 }]);
  remove();
  expect((await ask('/api/back_door/latest.jpg')).json).toEqual({
    success: false,
    message: 'Camera not found',
  });
});

describe('what double-take asks', () => {
  test('version, newest event, image of the object, and giving its name back', async () => {
    expect(await ask('/api/version')).toMatchObject({ status: 200, text: '0.14.1-lynceus' });
    const { json } = await ask(`/api/events/${id}`);
    expect(json).toMatchObject({ id, camera: 'front_door', label: 'person', has_snapshot: true });
    service.runner.script = async () => ({ draw: { jpeg: Buffer.from('drawn'), width: 1, height: 1 } });
    const image = await ask(`/api/events/${id}/snapshot.jpg?h=500&crop=1`);
    expect([image.status, image.type, image.text]).toEqual([200, 'image/jpeg', 'drawn']);
    expect(service.runner.seen.at(-1)?.options['draw']).toMatchObject({
      // An object of 160 by 180 pixels.
      maxSidePx: 500,
      marks: [],
      crop: { imageSidePx: 640 },
    });
    await ask(`/api/events/${id}/snapshot.jpg?h=180&bbox=1&quality=80`);
    expect(service.runner.seen.at(-1)?.options['draw']).toMatchObject({
      maxSidePx: 320,
      quality: 80,
      marks: [{ title: 'person' }],
    });
    const named = await ask(`/api/events/${id}/sub_label`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ subLabel: 'Ada' }),
    });
    expect([named.status, named.json.success]).toEqual([200, true]);
    expect((await ask(`/api/events/${id}`)).json.sub_label).toBeNull();
  });

  test('a thumbnail and a clip, whole and in parts', async () => {
    expect((await ask(`/api/events/${id}/thumbnail.jpg`)).text).toBe('drawn');
    const whole = await ask(`/api/events/${id}/clip.mp4`);
    expect([whole.status, whole.type, whole.text]).toEqual([200, 'video/mp4', '0123456789']);
    const part = await ask(`/api/events/${id}/clip.mp4`, { headers: { range: 'bytes=2-4' } });
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10']);
    expect((await ask(`/api/events/${id}/clip.mp4`, { headers: { range: 'bytes=99-' } })).status).toBe(416);
  });
});

describe('what the integration of Home Assistant asks', () => {
  test('the configuration, with cameras, zones and classes, and no address of a camera', async () => {
    // It sends a body with every request.
    const headers = { 'content-type': 'application/json', 'content-length': '2' };
    const { text } = await askFrom({ port, path: '/api/config', headers, body: '{}' });
    const json = JSON.parse(text);
    expect(json).toMatchObject({
      version: '0.14',
      mqtt: { topic_prefix: 'frigate' },
      cameras: {
        front_door: {
          enabled: true,
          detect: { width: 1280, height: 720, fps: 5 },
          objects: { track: ['person'] },
          zones: { porch: { coordinates: '0,0,1280,0,640,720', objects: ['person'] } },
          record: { enabled: false },
          snapshots: { enabled: true },
          motion: { enabled: true },
          rtmp: { enabled: false },
          audio: { enabled_in_config: false },
        },
      },
    });
    expect(text).not.toContain('rtsp://');
  });

  test('the prefix of the topics is that of the output that publishes as Frigate does', async () => {
    const settings = {
      kind: 'mqtt',
      url: 'mqtt://127.0.0.1:2999',
      frigate: true,
      frigatePrefix: 'nvr',
    } as const;
    const { output } = await service.streamOutputs.create(service.accountId, { name: 'nvr', settings });
    expect((await ask('/api/config')).json.mqtt.topic_prefix).toBe('nvr');
    await service.streamOutputs.remove(service.accountId, output.id);
    expect((await ask('/api/config')).json.mqtt).toMatchObject({ topic_prefix: 'frigate', enabled: false });
  });

  test('statistics with every camera', async () => {
    const { json } = await ask('/api/stats');
    expect(json).toMatchObject({
      cameras: { front_door: { camera_fps: 0, detection_enabled: true } },
      detection_fps: 0,
      service: { version: '0.14.1-lynceus' },
    });
  });

  test('events by camera, class, zone, time and what they have, the newest first', async () => {
    const later = newTrack(service.accountId, stream.id, startedAtMs + 60_000);
    await insertEvent(service.database, later, 'start', { label: 'car' });
    const list = async (query: string) =>
      (await ask(`/api/events?${query}`)).json.map((event: { label: string }) => event.label);
    expect(await list('')).toEqual(['car', 'person']);
    expect(await list('limit=1')).toEqual(['car']);
    expect(await list('cameras=front_door,other&labels=person')).toEqual(['person']);
    expect(await list('camera=other')).toEqual([]);
    expect(await list('zones=porch')).toEqual(['person']);
    expect(await list('has_clip=1')).toEqual(['person']);
    expect(await list('has_snapshot=0')).toEqual(['car']);
    expect(await list('in_progress=1')).toEqual(['car']);
    expect(await list(`after=${startedAtMs / 1000}`)).toEqual(['car']);
    expect(await list(`before=${startedAtMs / 1000 + 1}`)).toEqual(['person']);
    expect(await list('min_score=0.95')).toEqual([]);
    expect((await ask('/api/events/summary')).json).toContainEqual({
      camera: 'front_door',
      label: 'person',
      sub_label: null,
      day: '2020-12-04',
      zones: ['porch'],
      count: 1,
    });
    const [, person] = (await ask('/api/events')).json;
    expect(person).toMatchObject({
      id,
      camera: 'front_door',
      start_time: startedAtMs / 1000,
      end_time: startedAtMs / 1000 + 2,
      zones: ['porch'],
      data: { box: [0.5, 0.25, 0.25, 0.5], score: 0.8, top_score: 0.9 },
    });
  });
});

test.each([
  ['/api/events/1607123955.475999-abcdef', 404],
  ['/api/events/nonsense', 404],
  ['/api/events/1607123955.475999-abcdef/snapshot.jpg', 404],
  ['/api/events?limit=many', 400],
  ['/api/streams', 404],
  ['/api/account', 404],
  ['/predict/image', 404],
])('an error is one of Frigate: %s', async (path, status) => {
  const answer = await ask(path);
  expect(answer.status).toBe(status);
  expect(answer.json).toEqual({ success: false, message: expect.any(String) });
});

test('objects that are hidden, and those of another account, are not there', async () => {
  const other = await service.makeKey('other');
  const foreign = await insertStream(service.database, other.accountId, 'Theirs');
  const theirs = await insertTrack(service, {
    ...{ accountId: other.accountId, streamId: foreign.id, startedAtMs, snapshot: Buffer.from('x') },
  });
  expect((await ask(`/api/events/${frigateId(theirs, startedAtMs)}`)).status).toBe(404);
  expect((await ask('/api/theirs/latest.jpg')).status).toBe(404);
  expect(Object.keys((await ask('/api/config')).json.cameras)).toEqual(['front_door']);
  const { query, write } = service.database;
  await write([query.updateTable('stream_track').set({ deleted_at: 1 }).where('id', '=', trackId)]);
  expect((await ask(`/api/events/${id}`)).status).toBe(404);
  expect((await ask(`/api/events/${id}/snapshot.jpg`)).status).toBe(404);
});

test('the port of the service has none of it: its paths there are those of the management API', async () => {
  const { key } = await makeCompatKey(service, { protocol: 'frigate' });
  for (const path of ['/api/events', '/api/version', '/api/config', '/api/front_door/latest.jpg']) {
    const answer = await fetch(`${service.base}${path}`, { headers: { 'x-api-key': key } });
    await answer.body?.cancel();
    expect([path, answer.status]).toEqual([path, path === '/api/events' ? 401 : expect.any(Number)]);
    expect([401, 404]).toContain(answer.status);
  }
});
