import { readFile } from 'node:fs/promises';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '#bench/free-port.js';
import { runCommand, type Service, startService } from '#bench/service.js';
import { openFolderBlobs } from '#server/storage/blobs/folder-blobs.js';
import { blobsDir, dataFolder } from '#server/storage/data-folder.js';
import { openCommandStorage } from '#server/storage/open-storage.js';
import { insertTrack } from '#server/streams/fixtures/insert-track.js';
import { createMedia } from '#server/streams/media.js';
import { haveMosquitto, type Mosquitto, startMosquitto } from '#server/streams/outputs/fixtures/mosquitto.js';
import { haveDefaultModels } from '../support/default-models.js';
import { samplePath } from '../support/sample.js';

const isHere = haveMosquitto() && (await haveDefaultModels());

interface FrigateCamera {
  readonly objects: { readonly track: readonly string[] };
  readonly zones: Readonly<Record<string, unknown>>;
  readonly rtmp: { readonly enabled: boolean };
  readonly record: { readonly enabled: boolean };
  readonly motion: { readonly enabled: boolean };
  readonly audio: { readonly enabled: boolean };
}

/** What double-take (`frigate.util.js`, `process.util.js`) and the integration of Home Assistant (`api.py`) ask, in their order. */
describe.skipIf(!isHere)('programs that read Frigate', { timeout: 300_000 }, () => {
  let broker: Mosquitto;
  let service: Service;
  let settings: Record<string, string>;
  let port: number;
  beforeAll(async () => {
    broker = await startMosquitto();
    port = await freePort();
    settings = {
      LYNCEUS_COMPAT_LISTENER_PORTS: String(port),
      LYNCEUS_DELIVERY_ALLOWED_NETWORKS: '127.0.0.0/8',
      LYNCEUS_ROLES: 'http,jobs',
    };
    service = await startService(settings);
    const { id } = await post('/api/keys', { name: 'frigate', compat: { protocol: 'frigate' } });
    const words = ['keys', 'listen', String(id), '--port', String(port), '--network', '127.0.0.1/32'];
    await runCommand(words, { ...settings, LYNCEUS_DATA_DIR: service.dataDir });
    await vi.waitUntil(async () => (await fetch(`${frigate()}/api/version`).catch(() => null))?.ok, {
      timeout: 60_000,
    });
  });
  afterAll(async () => {
    await service.stop();
    await broker.stop();
  });

  const frigate = () => `http://127.0.0.1:${port}`;
  async function post(path: string, body: object) {
    const answer = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const json = JSON.parse(await answer.text());
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(json)}`);
    return json;
  }
  const get = async (path: string) => {
    const answer = await fetch(`${frigate()}${path}`);
    return {
      status: answer.status,
      type: answer.headers.get('content-type') ?? '',
      bytes: Buffer.from(await answer.arrayBuffer()),
    };
  };
  const getJson = async (path: string) => JSON.parse((await get(path)).bytes.toString());

  /** An object with a real image, as whoever runs streams leaves it. */
  async function recordPerson(streamId: number): Promise<void> {
    const folder = dataFolder(service.dataDir);
    const { database, close } = await openCommandStorage(folder);
    const files = await openFolderBlobs(blobsDir(folder, 'media'), { mayServiceBeRunning: true });
    const media = createMedia({ database, clock: Date.now, files });
    const { accountId } = await database.query
      .selectFrom('stream')
      .select('account_id as accountId')
      .executeTakeFirstOrThrow();
    await insertTrack(
      { database, media },
      { accountId, streamId, kinds: ['start', 'update'], snapshot: await readFile(samplePath) },
    );
    await close();
  }

  test('double-take gets the image of a person that an event names, and gives a name back', async () => {
    const source = { kind: 'rtsp', address: 'rtsp://127.0.0.1:9/live' };
    const stream = await post('/api/streams', { name: 'Main Entrance', source, enabled: false });
    await post('/api/stream-outputs', {
      name: 'broker',
      settings: { kind: 'mqtt', url: broker.url, frigate: true },
    });
    const client = await connectAsync(broker.url);
    const images: Buffer[] = [];
    const processed: { readonly id: string; readonly camera: string; readonly sizes: readonly number[] }[] =
      [];
    client.on('message', async (topic, message) => {
      if (topic.endsWith('/snapshot')) return void images.push(message);
      const { type, after } = JSON.parse(message.toString());
      if (type === 'end' || after.label !== 'person' || processed.some(({ id }) => id === after.id)) return;
      const { id, camera } = after;
      processed.push({ id, camera, sizes: [] });
      const version = await get('/api/version');
      expect(version.bytes.toString()).toMatch(/^\d+\.\d+/);
      const image = await get(`/api/events/${id}/snapshot.jpg?h=150&crop=1`);
      expect(image.type).toBe('image/jpeg');
      const named = await fetch(`${frigate()}/api/events/${id}/sub_label`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ subLabel: 'ada' }),
      });
      processed.push({ id, camera, sizes: [image.bytes.length, named.status] });
    });
    await client.subscribeAsync(['frigate/events', 'frigate/+/person/snapshot'], { qos: 1 });
    await vi.waitUntil(
      async () => {
        const stats = await getJson('/api/stats');
        return stats.cameras.main_entrance !== undefined;
      },
      { timeout: 60_000 },
    );
    await recordPerson(stream.id);
    await vi.waitUntil(() => processed.length === 2 && images.length > 0, { timeout: 60_000 });
    expect(processed[1]).toMatchObject({ camera: 'main_entrance', sizes: [expect.any(Number), 200] });
    expect(processed[1]?.sizes[0]).toBeGreaterThan(1000);
    expect(images[0]?.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    await client.endAsync(true);
  });

  test('Home Assistant sets up a device for each camera, and reads the newest events', async () => {
    const config = await getJson('/api/config');
    expect((await get('/api/version')).bytes.toString()).toBe('0.14.1-lynceus');
    const entities: string[] = [];
    for (const [name, camera] of Object.entries<FrigateCamera>(config.cameras)) {
      // What sensors, switches and cameras of the integration read of it.
      const { objects, zones, rtmp, record, motion, audio } = camera;
      for (const part of [rtmp, record, motion, audio]) expect(typeof part.enabled).toBe('boolean');
      for (const label of [...objects.track, ...Object.keys(zones)])
        entities.push(`${config.mqtt.topic_prefix}/${name}/${label}`);
    }
    expect(entities).toContain('frigate/main_entrance/person');
    const [event] = await getJson(
      '/api/events?cameras=main_entrance&has_snapshot=1&limit=1&include_thumbnails=0',
    );
    expect(event).toMatchObject({ camera: 'main_entrance', label: 'person', has_snapshot: true });
    for (const file of ['snapshot.jpg', 'thumbnail.jpg'])
      expect((await get(`/api/events/${event.id}/${file}`)).type).toBe('image/jpeg');
  });
});
