import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiCall, callApi } from '../../http/api/fixtures/call-api.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { insertTrack } from '../fixtures/insert-track.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ streamMaxPerAccount: 3, streamFramesPerDay: 500 });
});
afterAll(() => service.stop());

const call = (path: string, method: ApiCall['method'] = 'GET', body?: unknown, headers = {}) =>
  callApi(service, path, { method, body, headers });
const source = { kind: 'rtsp', address: 'rtsp://admin:secret@10.0.0.1/live' };
const polygon = [
  [0, 0],
  [1, 0],
  [1, 1],
];

describe('a stream', () => {
  let id = 0;

  test('is added with the usual settings, and shown without its password', async () => {
    const { status, json } = await call('/api/streams', 'POST', {
      name: ' front door ',
      source,
      settings: {
        fps: 2,
        zones: [
          {
            name: 'gate',
            polygon: [
              [0, 0],
              [1, 0],
              [1, 1],
            ],
            classes: ['person'],
          },
        ],
      },
      enabled: false,
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      id: expect.any(Number),
      uid: expect.any(String),
      name: 'front door',
      enabled: false,
      source: {
        kind: 'rtsp',
        address: 'rtsp://10.0.0.1/live',
        username: 'admin',
        has_password: true,
        transport: 'tcp',
        device: null,
        video_id: null,
        certificate_unchecked: false,
        substream: null,
      },
      settings: { model_id: null, fps: 2, names_people: false, key_frames_only: false },
      state: { state: 'stopped', reason: 'the stream is switched off', last_frame_at: null },
    });
    expect(JSON.stringify(json)).not.toContain('secret');
    id = json.id;
    expect((await call(`/api/streams/${id}`)).json).toEqual(json);
    expect((await call('/api/streams')).json).toEqual({ data: [json], next_cursor: null });
  });

  test('as it is shown can be sent again, and stays what it was', async () => {
    const { json: before } = await call(`/api/streams/${id}`);
    const { has_password: _, substream: __, ...sent } = before.source;
    const { status, json } = await call(`/api/streams/${id}`, 'PATCH', {
      name: before.name,
      settings: before.settings,
      source: sent,
    });
    expect([status, json]).toEqual([200, before]);
  });

  test('is changed field by field', async () => {
    const { json } = await call(`/api/streams/${id}`, 'PATCH', {
      settings: { min_score: 0.7, text_languages: ['DE', 'de'] },
      enabled: true,
    });
    expect(json).toMatchObject({
      enabled: true,
      settings: { fps: 2, min_score: 0.7, text_languages: ['de'] },
      state: { state: 'connecting', reason: null },
    });
  });

  test.each<[object, string]>([
    [{ name: ' ' }, 'name must have 1 to 200 characters'],
    [{ source: { kind: 'rtsp', address: 'http://10.0.0.1/' } }, 'source.address: '],
    [{ source: { kind: 'ftp' } }, 'source.kind must be one of rtsp'],
    [{ source: { ...source, password: 'a\r\nb' } }, 'source.password must be a password'],
    [{ source: { ...source, password: '\ud800' } }, 'source.password must be a password'],
    [{ source: { kind: 'mjpeg', address: 'http://999.1.1.1/' } }, 'source.address: '],
    [{ source: { kind: 'usb', device: '/dev/video0' } }, 'source.device /dev/video0 is not allowed'],
    [{ source: { kind: 'video', video_id: 7 } }, 'source.video_id 7 is not one of your videos'],
    [{ settings: { fps: 99 } }, 'settings.fps must be frames a second'],
    [{ settings: { model_id: 'nothing' } }, 'model_id nothing is not one of your models'],
    [{ settings: { model_id: 'imagenet' } }, 'is for classification'],
    [{ settings: { perception_id: 77 } }, 'settings.perception_id 77 is not one of your perceptions'],
    [{ settings: { time_zone: 'Nowhere' } }, 'settings.time_zone must be a time zone'],
    [{ settings: { nothing: 1 } }, 'there is no parameter settings.nothing'],
    [{ settings: { zones: [{ name: 'door' }] } }, 'settings.zones[0].polygon is missing'],
    [
      { settings: { zones: [{ name: 'door', polygon, classes: [1] }] } },
      'settings.zones[0].classes[0] must be',
    ],
    [
      {
        settings: {
          masks: [
            polygon,
            [
              [0, 0],
              [1, 0],
              [1, 7],
            ],
          ],
        },
      },
      'settings.masks[1][2][1] must be a number from 0 to 1',
    ],
    [{ settings: { classes: [{ min_score: 0.5 }] } }, 'settings.classes[0].label is missing'],
    [
      { source: { kind: 'rtsp', address: 'rtsp://admin:p@ss#w0rd@10.0.0.1/live' } },
      'source.address: user name and password in an address must be percent-encoded',
    ],
  ])('with %j is refused in words', async (change, message) => {
    const { status, json } = await call(`/api/streams/${id}`, 'PATCH', change);
    expect([400, 404, 422]).toContain(status);
    expect(JSON.stringify(json)).toContain(message);
  });

  test('has zones for all classes, and classes with the score of its settings, where nothing else is said', async () => {
    const { status, json } = await call(`/api/streams/${id}`, 'PATCH', {
      settings: { min_score: 0.6, classes: [{ label: 'dog' }], zones: [{ name: 'door', polygon }] },
    });
    expect(status).toBe(200);
    expect(json.settings).toMatchObject({
      classes: [{ label: 'dog', min_score: 0.6, min_area: 0 }],
      zones: [{ name: 'door', polygon, classes: [] }],
    });
  });

  test('is one of as many as an account may have', async () => {
    for (const name of ['b', 'c']) await call('/api/streams', 'POST', { name, source, enabled: false });
    const { status, json } = await call('/api/streams', 'POST', { name: 'd', source });
    expect([status, json.code]).toEqual([409, 'account_full']);
    expect(json.detail).toContain('an account has 3 streams at most');
  });

  test('is deleted with what was seen', async () => {
    const { accountId } = service;
    await insertTrack(service, { accountId, streamId: id, snapshot: Buffer.from('12345') });
    const { status, json } = await call(`/api/streams/${id}`, 'DELETE');
    expect([status, json]).toEqual([200, { tracks: 1, files: 1, file_bytes: 5 }]);
    expect((await call(`/api/streams/${id}`)).status).toBe(404);
    expect((await call('/api/stream-tracks')).json.data).toEqual([]);
  });
});

describe('what was seen', () => {
  let streamId = 0;
  let track = '';
  const clip = Buffer.from('0123456789');
  beforeAll(async () => {
    streamId = (await call('/api/streams')).json.data[0].id;
    track = await insertTrack(service, {
      ...{ accountId: service.accountId, streamId, zone: 'gate', clip, snapshot: Buffer.from('jpeg') },
      kinds: ['start', 'zone_entered', 'end'],
    });
  });

  test('is listed as events and as tracks', async () => {
    const { json: events } = await call(`/api/stream-events?stream_id=${streamId}&zone=gate&label=person`);
    expect(events.data.map(({ kind }: { kind: string }) => kind)).toEqual(['end', 'zone_entered', 'start']);
    expect(events.data[1]).toMatchObject({
      track_id: track,
      zone: 'gate',
      velocity: { x: 0, y: 0 },
      current_zones: ['gate'],
      person: null,
      has_snapshot: true,
    });
    const { json: tracks } = await call(`/api/stream-tracks?kind=zone_entered`);
    expect(tracks.data).toHaveLength(1);
    expect(tracks.data[0]).toMatchObject({ id: track, stream_id: streamId, has_clip: true, top_score: 0.9 });
    expect((await call(`/api/stream-tracks/${track}`)).json).toEqual(tracks.data[0]);
    const { json: page } = await call('/api/stream-events?limit=2');
    const { json: rest } = await call(`/api/stream-events?limit=2&cursor=${page.next_cursor}`);
    expect([...page.data, ...rest.data]).toEqual(events.data);
  });

  test.each([
    'from=tomorrow',
    'kind=none',
    'stream_id=a',
    'zone=',
    'cursor=e30',
    'to=9999-13-01T00:00:00Z',
    'zone=a%00b',
  ])('a list with %s is refused', async (query) => {
    for (const list of ['stream-events', 'stream-tracks'])
      expect((await call(`/api/${list}?${query}`)).status).toBe(400);
  });

  const bytesOf = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${service.base}${path}`, {
      headers: { 'x-api-key': service.key, ...headers },
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };

  test('a clip is read whole and in parts', async () => {
    const whole = await bytesOf(`/api/stream-tracks/${track}/clip.mp4`);
    expect([whole.status, whole.text, whole.headers.get('content-type')]).toEqual([
      200,
      '0123456789',
      'video/mp4',
    ]);
    const part = await bytesOf(`/api/stream-tracks/${track}/clip.mp4`, { range: 'bytes=2-4' });
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10']);
  });

  test('a snapshot is read as it is, and drawn with its box', async () => {
    const path = `/api/stream-tracks/${track}/snapshot.jpg`;
    const plain = await bytesOf(path);
    expect([plain.status, plain.text, plain.headers.get('content-type')]).toEqual([
      200,
      'jpeg',
      'image/jpeg',
    ]);
    service.runner.script = async () => ({ draw: { jpeg: Buffer.from('drawn'), width: 1, height: 1 } });
    const drawn = await bytesOf(`${path}?boxes=true&crop=true&max_side=320`);
    expect([drawn.status, drawn.text]).toEqual([200, 'drawn']);
    expect(service.runner.seen.at(-1)?.options['draw']).toMatchObject({
      maxSidePx: 320,
      marks: [{ title: 'person', note: '0.90', box: { xMin: 320, yMin: 90 } }],
      crop: { imageSidePx: 640, box: { xMin: 304, yMin: 72 } },
    });
  });

  test('without a snapshot or a clip there is none', async () => {
    const bare = await insertTrack(service, { accountId: service.accountId, streamId });
    for (const file of ['snapshot.jpg', 'snapshot.jpg?crop=true', 'clip.mp4'])
      expect((await call(`/api/stream-tracks/${bare}/${file}`)).status).toBe(404);
    expect((await call(`/api/stream-tracks/${bare}/not-person`, 'POST')).status).toBe(409);
    expect((await call(`/api/stream-tracks/${bare}`, 'DELETE')).status).toBe(204);
    expect((await call(`/api/stream-tracks/${bare}`)).status).toBe(404);
  });
});

test('usage says how many frames were analysed today', async () => {
  await service.streamStore.frameQuota.reserve(service.accountId, 600);
  for (const query of ['', '?group_by=day'])
    expect((await call(`/api/usage${query}`)).json.frames).toEqual({ today: 500, limit_per_day: 500 });
});
