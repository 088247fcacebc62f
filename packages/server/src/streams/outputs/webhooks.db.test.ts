import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { withHttp } from '../../delivery/fixtures/remote-http.js';
import { insertEvent, insertStream, newTrack } from '../fixtures/insert-event.js';
import { openWorkingOutputs, type WorkingOutputs } from './fixtures/working-outputs.js';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly url: string | undefined;
  readonly body: string;
  readonly seq: number;
}

let service: WorkingOutputs;
let stream: Awaited<ReturnType<typeof insertStream>>;
beforeAll(async () => {
  service = await openWorkingOutputs();
});
beforeEach(async () => {
  stream = await insertStream(service.database, service.accountId, 'Front door');
});
afterEach(() => service.removeAll());
afterAll(() => service.close());

const until = (condition: () => boolean | Promise<boolean>) =>
  vi.waitUntil(condition, { timeout: 60_000, interval: 20 });

/** Keeps what comes, and answers as the test wants: a status, or nothing at all. */
function receive(answer: (got: Received, before: readonly Received[]) => number | null) {
  const received: Received[] = [];
  const listener: RequestListener = async (request, response) => {
    const body = await text(request).catch(() => '');
    if (body === '') return;
    const got = { headers: request.headers, url: request.url, body, seq: JSON.parse(body).seq };
    const status = answer(got, received);
    received.push(got);
    if (status !== null) response.writeHead(status, { location: '/elsewhere' }).end('because of this');
  };
  return { received, listener };
}
const addHook = (url: string, more: object = {}, secrets = {}) =>
  service.outputs.create(service.accountId, {
    name: 'hook',
    settings: { kind: 'webhook', url, ...more },
    secrets,
  });
const track = () => newTrack(service.accountId, stream.id);
const read = (id: number) => service.outputs.read(service.accountId, id);
const seqs = (received: readonly Received[]) => received.map(({ seq }) => seq);

test('secrets that cannot be opened are said at the output, and not once a second', async () => {
  const { received, listener } = receive(() => 200);
  await withHttp(listener, async (address) => {
    const { output } = await addHook(address, {}, { token: 'letmein' });
    const { output: other } = await addHook(address, {}, { token: 'of the other' });
    await service.stopWork();
    const { query, write } = service.database;
    const ofOther = query.selectFrom('stream_output').select('sealed_secrets').where('id', '=', other.id);
    const { sealed_secrets } = await ofOther.executeTakeFirstOrThrow();
    // Of another row: as if they were sealed with another key.
    await write([query.updateTable('stream_output').set({ sealed_secrets }).where('id', '=', output.id)]);
    const before = service.logLines.length;
    service.startWork();
    await insertEvent(service.database, track(), 'start');
    await until(() => received.length === 1);
    await until(async () => (await read(output.id))?.error !== null);
    expect(await read(output.id)).toMatchObject({
      error: expect.stringContaining('sealed with another key'),
      failingSince: expect.any(Number),
    });
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const refusals = service.logLines.slice(before).filter((line) => line.includes('could not be opened'));
    expect(refusals).toHaveLength(1);
  });
});

test('each event is posted in order, signed, with an id and where its image is', async () => {
  const { received, listener } = receive(() => 200);
  await withHttp(listener, async (address) => {
    const { output, signingKey } = await addHook(`${address}/in/a`, {}, { query: 'x=1', token: 'letmein' });
    const walker = track();
    const sent: number[] = [];
    for (const kind of ['start', 'update', 'end'] as const)
      sent.push(await insertEvent(service.database, walker, kind));
    service.announce();
    await until(() => received.length === 3);
    expect(seqs(received)).toEqual(sent);
    const [first] = received;
    expect(first?.url).toBe('/in/a?x=1');
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'lynceus-event-id': `${stream.uid}/${sent[0]}`,
      'user-agent': 'Lynceus (stream events)',
      authorization: 'Bearer letmein',
    });
    const [, unix, mac] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(first?.headers['lynceus-signature'])) ?? [];
    expect(mac).toBe(
      createHmac('sha256', signingKey ?? '')
        .update(`${unix}.${first?.body}`)
        .digest('hex'),
    );
    expect(Math.abs(Number(unix) - Date.now() / 1000)).toBeLessThan(600);
    expect(JSON.parse(first?.body ?? '')).toMatchObject({
      id: `${stream.uid}/${sent[0]}`,
      kind: 'start',
      stream_id: stream.id,
      stream_uid: stream.uid,
      stream_name: 'Front door',
      track_id: walker.id,
      snapshot_url: null,
      label: 'person',
      box: { x_min: 100.4 },
    });
    await until(async () => (await read(output.id)).deliveredSeq === sent[2]);
  });
});

test('a receiver that fails, hangs up or redirects has the event again until it takes it, and others after it', async () => {
  const answers = [500, 503, 307, 404, 429, 200];
  const { received, listener } = receive((_got, before) => answers[before.length] ?? 200);
  await withHttp(listener, async (address) => {
    const { output } = await addHook(address);
    const first = await insertEvent(service.database, track(), 'start');
    await until(() => received.length >= 2);
    await until(async () => (await read(output.id)).failingSince !== null || received.length >= 6);
    const second = await insertEvent(service.database, track(), 'start');
    await until(async () => (await read(output.id)).deliveredSeq === second);
    expect(seqs(received)).toEqual([first, first, first, first, first, first, second]);
    expect(new Set(received.map(({ headers }) => headers['lynceus-event-id']))).toEqual(
      new Set([`${stream.uid}/${first}`, `${stream.uid}/${second}`]),
    );
    expect(received.every(({ url }) => url === '/')).toBe(true);
    expect(await read(output.id)).toMatchObject({ failingSince: null, error: null, givenUp: 0 });
  });
});

test('while it fails the owner sees since when and why, without secrets', async () => {
  const { listener } = receive(() => 401);
  await withHttp(listener, async (address) => {
    const { output } = await addHook(address, {}, { token: 'because' });
    await insertEvent(service.database, track(), 'start');
    await until(async () => (await read(output.id)).failingSince !== null);
    const { error } = await read(output.id);
    expect(error).toBe('the receiver answers HTTP 401: “*** of this”; check user, password, token or header');
  });
});

test('an event that is refused as such is given up after a few attempts, and the next one is sent', async () => {
  const { received, listener } = receive((_got, before) => (before.length < 3 ? 422 : 200));
  await withHttp(listener, async (address) => {
    const { output } = await addHook(address);
    const first = await insertEvent(service.database, track(), 'start');
    const second = await insertEvent(service.database, track(), 'start');
    await until(async () => (await read(output.id)).deliveredSeq === second);
    expect(seqs(received)).toEqual([first, first, first, second]);
    expect(await read(output.id)).toMatchObject({ givenUp: 1, error: null });
    expect(service.logLines.join('')).toContain('an event was given up');
  });
});

test('events are sent from the next one on, and those of hidden tracks, deleted streams and other kinds not at all', async () => {
  const { received, listener } = receive(() => 204);
  await withHttp(listener, async (address) => {
    await insertEvent(service.database, track(), 'start');
    const other = await insertStream(service.database, service.accountId, 'Gone');
    const { output } = await addHook(address, { kinds: ['start', 'end'], labels: ['person', 'dog'] });
    await service.stopWork();
    const hidden = track();
    await insertEvent(service.database, hidden, 'start');
    await insertEvent(service.database, track(), 'update');
    await insertEvent(service.database, track(), 'start', { label: 'cat' });
    await insertEvent(service.database, newTrack(service.accountId, other.id), 'start');
    const dog = await insertEvent(service.database, track(), 'start', { label: 'dog' });
    const last = await insertEvent(service.database, track(), 'update');
    const { query } = service.database;
    await service.database.write([
      query.updateTable('stream_track').set({ deleted_at: 1 }).where('id', '=', hidden.id),
      query.updateTable('stream').set({ deleted_at: 1 }).where('id', '=', other.id),
    ]);
    service.startWork();
    await until(async () => (await read(output.id)).deliveredSeq === last);
    expect(seqs(received)).toEqual([dog]);
  });
});

test('an output of some streams has their events alone', async () => {
  const { received, listener } = receive(() => 200);
  await withHttp(listener, async (address) => {
    const other = await insertStream(service.database, service.accountId, 'Yard');
    await addHook(address, { streams: [other.id] });
    await insertEvent(service.database, track(), 'start');
    const wanted = await insertEvent(service.database, newTrack(service.accountId, other.id), 'start');
    await until(() => received.length > 0);
    expect(seqs(received)).toEqual([wanted]);
  });
});

test('one that is disabled sends nothing, and begins with the next event once it is enabled', async () => {
  const { received, listener } = receive(() => 200);
  await withHttp(listener, async (address) => {
    const { output } = await addHook(address);
    await service.outputs.change(service.accountId, output.id, { isEnabled: false });
    await insertEvent(service.database, track(), 'start');
    await service.outputs.change(service.accountId, output.id, { isEnabled: true });
    const next = await insertEvent(service.database, track(), 'start');
    await until(() => received.length > 0);
    expect(seqs(received)).toEqual([next]);
  });
});

test('a changed address is used at once, also while the old one fails', async () => {
  const old = receive(() => 500);
  const changed = receive(() => 200);
  await withHttp(old.listener, (oldAddress) =>
    withHttp(changed.listener, async (address) => {
      const { output } = await addHook(oldAddress);
      const seq = await insertEvent(service.database, track(), 'start');
      await until(() => old.received.length > 0);
      await service.outputs.change(service.accountId, output.id, {
        settings: { kind: 'webhook', url: address },
      });
      await until(() => changed.received.length > 0);
      expect(seqs(changed.received)).toEqual([seq]);
    }),
  );
});

test('two services on one database send each event once', async () => {
  const { received, listener } = receive(() => 200);
  await withHttp(listener, async (address) => {
    const { output } = await addHook(address);
    const stopOther = service.startOther();
    let last = 0;
    for (let index = 0; index < 30; index += 1) last = await insertEvent(service.database, track(), 'start');
    await until(async () => (await read(output.id)).deliveredSeq === last);
    expect(seqs(received)).toEqual(Array.from({ length: 30 }, (_, index) => last - 29 + index));
    await stopOther();
  });
});

test('an address in a private network that the operator does not allow is not asked', async () => {
  const { output } = await addHook('http://10.1.2.3/');
  await insertEvent(service.database, track(), 'start');
  await until(async () => (await read(output.id)).error !== null);
  expect((await read(output.id)).error).toMatch(/private address/);
});
