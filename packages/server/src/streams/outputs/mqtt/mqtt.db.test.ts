import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { insertEvent, insertStream, newTrack, type TestTrack } from '../../fixtures/insert-event.js';
import {
  haveMosquitto,
  type Mosquitto,
  readRetained,
  startMosquitto,
  subscribe,
} from '../fixtures/mosquitto.js';
import { openWorkingOutputs, type WorkingOutputs } from '../fixtures/working-outputs.js';
import type { OutputSettingsChange } from '../output-settings.js';

const until = (condition: () => boolean | Promise<boolean>) =>
  vi.waitUntil(condition, { timeout: 60_000, interval: 20 });
const jpeg = Buffer.from('ffd8ffe0-a-jpeg');

test('events for a broker that is away too long are given up and counted', async () => {
  const service = await openWorkingOutputs({ giveUpAfterMs: 300 });
  try {
    const stream = await insertStream(service.database, service.accountId, 'Back door');
    // Nothing listens there.
    const settings = { kind: 'mqtt' as const, url: 'mqtt://127.0.0.1:9' };
    const { output } = await service.outputs.create(service.accountId, { name: 'away', settings });
    const walker = newTrack(service.accountId, stream.id);
    for (const kind of ['start', 'update', 'end'] as const) await insertEvent(service.database, walker, kind);
    const read = () => service.outputs.read(service.accountId, output.id);
    await until(async () => (await read())?.givenUp === 3);
    expect((await read())?.failingSince).not.toBeNull();
    expect(await service.readMetrics()).toContain(
      'lynceus_stream_output_events_total{receiver="mqtt",outcome="given_up"} 3',
    );
  } finally {
    await service.close();
  }
});

describe.skipIf(!haveMosquitto())('a broker that takes only small messages', () => {
  test('gets events and states on, without the images that are too large for it', async () => {
    const broker = await startMosquitto(['allow_anonymous true', 'max_packet_size 20000']);
    const service = await openWorkingOutputs();
    const ears = await subscribe(broker.url);
    try {
      const stream = await insertStream(service.database, service.accountId, 'Front door');
      const settings = { kind: 'mqtt' as const, url: broker.url, snapshots: true };
      const { output } = await service.outputs.create(service.accountId, { name: 'small', settings });
      const walker = newTrack(service.accountId, stream.id);
      await insertEvent(service.database, walker, 'start');
      const written = await service.media.write(
        {
          accountId: service.accountId,
          kind: 'snapshot',
          owner: { trackId: walker.id },
          mediaType: 'image/jpeg',
        },
        Readable.from([Buffer.alloc(30_000, 1)]),
      );
      const { query, write } = service.database;
      const update = query
        .updateTable('stream_track')
        .set({ snapshot_id: written.id })
        .where('id', '=', walker.id);
      await write([written.row, update]);
      for (const kind of ['update', 'end'] as const)
        await insertEvent(service.database, walker, kind, { has_snapshot: true });
      service.announce();
      const kinds = () => ears.at('lynceus/front_door/events').map((text) => JSON.parse(text).kind);
      await until(() => kinds().includes('end'));
      await until(async () => (await service.outputs.read(service.accountId, output.id)).error === null);
      expect(ears.at('lynceus/front_door/snapshot').filter((text) => text !== '')).toEqual([]);
    } finally {
      await ears.close();
      await service.close();
      await broker.stop();
    }
  });
});

describe.skipIf(!haveMosquitto())('an output to a real broker', () => {
  let service: WorkingOutputs;
  let broker: Mosquitto;
  let stream: Awaited<ReturnType<typeof insertStream>>;
  let ears: Awaited<ReturnType<typeof subscribe>>;
  beforeAll(async () => {
    broker = await startMosquitto();
    service = await openWorkingOutputs();
  });
  beforeEach(async () => {
    const { query, write } = service.database;
    await write([query.updateTable('stream').set({ deleted_at: 1 })]);
    stream = await insertStream(service.database, service.accountId, 'Front door', {
      namesPeople: true,
      zones: [
        {
          name: 'porch',
          polygon: [
            [0, 0],
            [1, 0],
            [1, 1],
          ],
          classes: [],
        },
      ],
    });
    ears = await subscribe(broker.url);
  });
  afterEach(async () => {
    await service.removeAll();
    await until(
      async () =>
        (await service.database.query.selectFrom('stream_output').selectAll().execute()).length === 0,
    );
    await ears.close();
  });
  afterAll(async () => {
    await service.close();
    await broker.stop();
  });

  const add = async (settings: Partial<Extract<OutputSettingsChange, { kind: 'mqtt' }>> = {}) => {
    const { output } = await service.outputs.create(service.accountId, {
      name: 'broker',
      settings: { ...settings, kind: 'mqtt', url: broker.url },
    });
    await until(() => ears.at('lynceus/available').includes('online'));
    return output;
  };
  const track = () => newTrack(service.accountId, stream.id);
  const record = async (
    ...event: [TestTrack, Parameters<typeof insertEvent>[2], Parameters<typeof insertEvent>[3]?]
  ) => {
    const seq = await insertEvent(service.database, ...event);
    service.announce();
    return seq;
  };
  /** Gives a track an image, as whoever runs streams does. */
  const addImage = async ({ id: trackId, accountId }: TestTrack) => {
    const written = await service.media.write(
      { accountId, kind: 'snapshot', owner: { trackId }, mediaType: 'image/jpeg' },
      Readable.from([jpeg]),
    );
    const { query, write } = service.database;
    await write([
      written.row,
      query.updateTable('stream_track').set({ snapshot_id: written.id }).where('id', '=', trackId),
    ]);
  };

  test('publishes events in order, counts of each class, and that it is there', async () => {
    const output = await add();
    const walker = track();
    const seqs = [await record(walker, 'start'), await record(walker, 'update')];
    await until(() => ears.at('lynceus/front_door/person').includes('1'));
    seqs.push(await record(walker, 'end'));
    await until(() => ears.last().get('lynceus/front_door/person') === '0');
    await until(() => ears.at('lynceus/front_door/events').length === 3);
    const events = ears.at('lynceus/front_door/events').map((text) => JSON.parse(text));
    expect(events.map(({ seq, kind }) => [seq, kind])).toEqual([
      [seqs[0], 'start'],
      [seqs[1], 'update'],
      [seqs[2], 'end'],
    ]);
    expect(events[0]).toMatchObject({ id: `${stream.uid}/${seqs[0]}`, label: 'person' });
    expect(ears.last().get('lynceus/front_door/all')).toBe('0');
    expect(JSON.parse(ears.last().get('lynceus/front_door/state') ?? '')).toMatchObject({ state: 'stopped' });
    expect(ears.heard.some(({ topic }) => topic.startsWith('frigate/'))).toBe(false);
    await service.stopWork();
    expect(ears.last().get('lynceus/available')).toBe('offline');
    service.startWork();
    await until(() => ears.last().get('lynceus/available') === 'online');
    expect((await service.outputs.read(service.accountId, output.id)).deliveredSeq).toBe(seqs[2]);
  });

  test('keeps states for who comes later, and leaves nothing behind when it is deleted', async () => {
    await add({ homeAssistant: true, frigate: true, snapshots: true });
    const walker = track();
    await record(walker, 'start');
    await addImage(walker);
    await record(walker, 'update', { has_snapshot: true });
    // One that is published after the subscription is not marked as kept.
    for (const wanted of ['frigate/front_door/person/snapshot', 'lynceus/front_door/snapshot'])
      await until(() => ears.heard.some(({ topic }) => topic === wanted));
    const late = await subscribe(broker.url);
    await until(() => late.heard.some(({ topic }) => topic === 'frigate/available'));
    await until(() => late.at('lynceus/front_door/snapshot').length > 0);
    const kept = new Set(late.heard.filter(({ isRetained }) => isRetained).map(({ topic }) => topic));
    for (const topic of ['lynceus/available', 'frigate/available', 'lynceus/front_door/snapshot'])
      expect(kept).toContain(topic);
    expect(kept).not.toContain('lynceus/front_door/events');
    await service.removeAll();
    await until(
      async () =>
        (await service.database.query.selectFrom('stream_output').selectAll().execute()).length === 0,
    );
    await late.close();
    expect(await readRetained(broker.url)).toEqual(new Map());
  });

  test('is found by Home Assistant as a device for each stream, which goes with the stream', async () => {
    const output = await add({ homeAssistant: true, snapshots: true });
    await record(track(), 'start', { label: 'traffic light' });
    const config = (component: string, name: string) =>
      `homeassistant/${component}/lynceus_${output.uid}/${stream.id}_${name}/config`;
    const occupancy = config('binary_sensor', 'occupancy_traffic_light');
    await until(() => ears.last().has(occupancy));
    expect(JSON.parse(ears.last().get(occupancy) ?? '')).toEqual({
      unique_id: `lynceus_${stream.uid}_occupancy_traffic_light`,
      availability_topic: 'lynceus/available',
      device: {
        identifiers: [`lynceus_${stream.uid}`],
        name: 'Front door',
        manufacturer: 'Lynceus',
        model: 'Stream',
      },
      origin: { name: 'Lynceus' },
      name: 'traffic light occupancy',
      device_class: 'occupancy',
      state_topic: 'lynceus/front_door/traffic light',
      value_template: "{{ 'ON' if value | int(0) > 0 else 'OFF' }}",
    });
    expect(JSON.parse(ears.last().get(config('binary_sensor', 'connectivity')) ?? '')).toMatchObject({
      device_class: 'connectivity',
      state_topic: 'lynceus/front_door/state',
    });
    expect(JSON.parse(ears.last().get(config('sensor', 'last_person')) ?? '')).toMatchObject({
      state_topic: 'lynceus/front_door/last_person',
    });
    expect(JSON.parse(ears.last().get(config('image', 'snapshot')) ?? '')).toMatchObject({
      image_topic: 'lynceus/front_door/snapshot',
    });
    // Also what an earlier process left there.
    await service.stopWork();
    const { query, write } = service.database;
    await write([query.updateTable('stream').set({ deleted_at: 1 }).where('id', '=', stream.id)]);
    service.startWork();
    const isOfStream = (topic: string) => /^(homeassistant|lynceus\/front_door)\//.test(topic);
    await until(() =>
      [...ears.last()].every(
        ([topic, text]) => !isOfStream(topic) || text === '' || topic.endsWith('/events'),
      ),
    );
  });

  test('says who was recognised last, and forgets people and their images when they are deleted', async () => {
    await add({ snapshots: true });
    const walker = track();
    await record(walker, 'start');
    await addImage(walker);
    await record(walker, 'person_recognised', { person: { id: 7, name: 'Ada', score: 0.93 } });
    await until(() => ears.last().get('lynceus/front_door/last_person') === 'Ada');
    await until(() => ears.heard.some(({ bytes }) => bytes.equals(jpeg)));
    const { query, write } = service.database;
    await write([query.updateTable('stream_track').set({ deleted_at: 1 }).where('id', '=', walker.id)]);
    await until(() => ears.last().get('lynceus/front_door/last_person') === 'unknown');
    await until(() => ears.last().get('lynceus/front_door/snapshot') === '');
    await until(() => ears.last().get('lynceus/front_door/person') === '0');
  });

  test('clears what an earlier process left of a stream that was renamed, and of a person who was deleted meanwhile', async () => {
    await add({ snapshots: true, frigate: true });
    const [walker, driver] = [track(), track()];
    for (const [each, label] of [
      [walker, 'person'],
      [driver, 'car'],
    ] as const) {
      await record(each, 'start', { label });
      await addImage(each);
      await record(each, 'end', { label, has_snapshot: true });
      await until(() => ears.last().get(`frigate/front_door/${label}/snapshot`) === jpeg.toString());
    }
    await service.stopWork();
    const { query, write } = service.database;
    await write([
      query.updateTable('stream').set({ name: 'Back door' }).where('id', '=', stream.id),
      query.updateTable('stream_track').set({ deleted_at: 1 }).where('id', '=', walker.id),
    ]);
    service.startWork();
    await until(() => ears.last().get('frigate/back_door/car/snapshot') === jpeg.toString());
    const left = () =>
      [...ears.last()].filter(([topic, text]) => topic.includes('/front_door/') && text !== '');
    await until(() => left().every(([topic]) => topic.endsWith('/events')));
    await until(async () => {
      const rows = await query.selectFrom('stream_output_topic').select('topic').execute();
      return rows.length > 0 && rows.every(({ topic }) => !topic.includes('front_door'));
    });
    expect(ears.last().get('frigate/back_door/person/snapshot') ?? '').toBe('');
  });

  test('a stream that is renamed while it is published moves with its images', async () => {
    await add({ snapshots: true, frigate: true });
    const walker = track();
    await record(walker, 'start');
    await addImage(walker);
    await record(walker, 'update', { has_snapshot: true });
    const at = (name: string) => [`lynceus/${name}/snapshot`, `frigate/${name}/person/snapshot`];
    const are = (name: string, text: string) =>
      until(() => at(name).every((topic) => (ears.last().get(topic) ?? '') === text));
    await are('front_door', jpeg.toString());
    const { query, write } = service.database;
    await write([query.updateTable('stream').set({ name: 'Back door' }).where('id', '=', stream.id)]);
    await are('back_door', jpeg.toString());
    await are('front_door', '');
  });

  test('states that are not to be kept any more are cleared, however that was changed', async () => {
    const output = await add();
    await until(() => ears.last().has('lynceus/front_door/state'));
    await service.outputs.change(service.accountId, output.id, { isEnabled: false });
    await until(() => ears.last().get('lynceus/available') === 'offline');
    await service.outputs.change(service.accountId, output.id, {
      settings: { kind: 'mqtt', retain: false },
    });
    await service.outputs.change(service.accountId, output.id, { isEnabled: true });
    await until(() => ears.last().get('lynceus/available') === 'online');
    const { query } = service.database;
    await until(
      async () => (await query.selectFrom('stream_output_topic').select('topic').execute()).length === 0,
    );
    // Who listens hears the state last, and not that it was cleared.
    await until(() => (ears.last().get('lynceus/front_door/state') ?? '') !== '');
    expect(await readRetained(broker.url)).toEqual(new Map());
  });

  test('an output that is deleted while its broker is away is cleared when that is back', async () => {
    const other = await startMosquitto();
    const settings = { kind: 'mqtt' as const, url: other.url };
    const { output } = await service.outputs.create(service.accountId, { name: 'other', settings });
    await until(async () => (await readRetained(other.url)).has('lynceus/front_door/state'));
    await service.stopWork();
    await service.outputs.remove(service.accountId, output.id);
    const { query } = service.database;
    const rows = () => query.selectFrom('stream_output').select('id').where('id', '=', output.id).execute();
    await other.kill();
    service.startWork();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await rows()).toHaveLength(1);
    await service.stopWork();
    await other.start();
    service.startWork();
    await until(async () => (await rows()).length === 0);
    expect(await readRetained(other.url)).toEqual(new Map());
    await other.stop();
  });

  test('publishes what Frigate publishes, with every field of its documentation', async () => {
    await add({ frigate: true, frigatePrefix: 'nvr' });
    const walker = { ...track(), startedAt: 1_607_123_955_475 };
    await record(walker, 'start', { current_zones: ['porch'], entered_zones: ['porch'] });
    await until(() => ears.at('nvr/porch/person').includes('1'));
    await record(walker, 'person_recognised', {
      person: { id: 7, name: 'John Smith', score: 0.79 },
      score: 0.7,
      has_snapshot: true,
    });
    await record(walker, 'update', { stationary: true, score: 0.6 });
    await record(walker, 'end', { has_snapshot: true, has_clip: true });
    await until(() => ears.at('nvr/events').length === 4);
    const messages = ears.at('nvr/events').map((text) => JSON.parse(text));
    expect(messages.map(({ type }) => type)).toEqual(['new', 'update', 'update', 'end']);
    const [begun, named, stopped, ended] = messages;
    // Of docs.frigate.video/integrations/mqtt.
    const fields = [
      ...['id', 'camera', 'frame_time', 'snapshot_time', 'snapshot', 'label', 'sub_label', 'top_score'],
      ...['false_positive', 'start_time', 'end_time', 'score', 'box', 'area', 'ratio', 'region', 'active'],
      ...[
        'stationary',
        'motionless_count',
        'position_changes',
        'current_zones',
        'entered_zones',
        'thumbnail',
      ],
      ...['has_clip', 'has_snapshot', 'attributes', 'current_attributes'],
    ];
    for (const { before, after } of messages) {
      expect(Object.keys(before).sort()).toEqual([...fields].sort());
      expect(Object.keys(after).sort()).toEqual([...fields].sort());
    }
    expect(begun.before.false_positive).toBe(true);
    expect(begun.after).toMatchObject({
      id: expect.stringMatching(/^1607123955\.475\d{3}-[a-z0-9]{6}$/),
      camera: 'front_door',
      label: 'person',
      sub_label: null,
      start_time: 1_607_123_955.475,
      end_time: null,
      box: [100, 200, 200, 500],
      area: 30_000,
      ratio: 100 / 300,
      region: [0, 155, 390, 545],
      active: true,
      stationary: false,
      position_changes: 1,
      current_zones: ['porch'],
      snapshot: null,
    });
    expect(named.before).toEqual({ ...begun.after, false_positive: false });
    expect(named.after).toMatchObject({
      id: begun.after.id,
      sub_label: ['John Smith', 0.79],
      has_snapshot: true,
      snapshot: { score: 0.8, box: [100, 200, 200, 500] },
      current_zones: [],
    });
    expect(stopped.after).toMatchObject({ stationary: true, active: false });
    expect(stopped.after.motionless_count).toBeGreaterThan(0);
    expect(ended.after).toMatchObject({ end_time: expect.any(Number), has_clip: true });
    expect(ears.last().get('nvr/front_door/detect/state')).toBe('ON');
    expect(JSON.parse(ears.last().get('nvr/stats') ?? '')).toMatchObject({
      cameras: { front_door: { camera_fps: 0 } },
      service: { version: expect.stringMatching(/^0\.14/) },
    });
    await until(() => ears.last().get('nvr/front_door/person') === '0');
    expect(ears.last().get('nvr/available')).toBe('online');
  });

  test('clears the topics of an old prefix when that is changed', async () => {
    const output = await add({ homeAssistant: true });
    await until(() => ears.last().has('lynceus/front_door/state'));
    await service.outputs.change(service.accountId, output.id, {
      settings: { kind: 'mqtt', prefix: 'house/cameras' },
    });
    await until(() => ears.last().get('house/cameras/available') === 'online');
    const left = [...ears.last()].filter(([topic, text]) => topic.startsWith('lynceus/') && text !== '');
    expect(left).toEqual([]);
  });

  test('goes on where it was after the broker was killed, with every event once by its id', async () => {
    await add();
    const sent: number[] = [];
    const ids = () =>
      new Set(ears.at('lynceus/front_door/events').map((text) => Number(JSON.parse(text).seq)));
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < 20; index += 1) {
        sent.push(await record(track(), 'start'));
        if (index === 10) {
          await broker.kill();
          await broker.start();
        }
      }
      await until(() => ids().size === sent.length);
    }
    expect([...ids()]).toEqual(sent);
    const all = ears.at('lynceus/front_door/events');
    // A confirmation that was lost with the broker.
    expect(all.length - sent.length).toBeLessThanOrEqual(2);
    expect(ears.last().get('lynceus/available')).toBe('online');
  });

  test('is tested by a message at a topic of its own, beside the connection that there is', async () => {
    const output = await add();
    const { signal } = new AbortController();
    const verdict = await service.test(service.accountId, output.id, signal);
    expect(verdict).toMatchObject({ isGood: true, where: `${broker.url} lynceus/test` });
    await until(() => ears.at('lynceus/test').length === 1);
    expect(ears.at('lynceus/available')).toEqual(['online']);
  });
});

test.skipIf(!haveMosquitto())(
  'what a broker keeps of an account that was closed while nothing was sent is cleared, until it is open again',
  async () => {
    const broker = await startMosquitto();
    const service = await openWorkingOutputs();
    const ears = await subscribe(broker.url);
    await insertStream(service.database, service.accountId, 'Front door');
    await service.outputs.create(service.accountId, {
      name: 'broker',
      settings: { kind: 'mqtt', url: broker.url },
    });
    await until(() => ears.last().has('lynceus/front_door/state'));
    await service.stopWork();
    const { query, write } = service.database;
    await write([query.updateTable('account').set({ closed_at: 1 })]);
    service.startWork();
    await until(
      async () => (await query.selectFrom('stream_output_topic').select('topic').execute()).length === 0,
    );
    expect(await readRetained(broker.url)).toEqual(new Map());
    // The deletion of the account is called off.
    await write([query.updateTable('account').set({ closed_at: null })]);
    await until(async () => (await readRetained(broker.url)).get('lynceus/available') === 'online');
    await ears.close();
    await service.close();
    await broker.stop();
  },
);

test.skipIf(!haveMosquitto())(
  'a broker that refuses user name or password is said to, without the password',
  async () => {
    const broker = await startMosquitto(['allow_anonymous false']);
    const service = await openWorkingOutputs();
    const { output } = await service.outputs.create(service.accountId, {
      name: 'broker',
      settings: { kind: 'mqtt', url: broker.url, username: 'desk' },
      secrets: { password: 'p4ssw0rd' },
    });
    await until(async () => (await service.outputs.read(service.accountId, output.id)).error !== null);
    const { error } = await service.outputs.read(service.accountId, output.id);
    expect(error).toBe('the broker does not let this client in; check user name, password and client_id');
    const { signal } = new AbortController();
    expect(await service.test(service.accountId, output.id, signal)).toMatchObject({
      problem: 'credentials',
    });
    expect(service.logLines.join('')).not.toContain('p4ssw0rd');
    await service.close();
    await broker.stop();
  },
);
