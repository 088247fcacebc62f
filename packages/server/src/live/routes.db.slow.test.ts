import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { dropCalls } from '../drops/routes/fixtures/drop-calls.js';
import { callApi } from '../http/api/fixtures/call-api.js';
import { type Followed, followEvents } from '../http/api/fixtures/follow-events.js';
import { imageBytes, multipart } from '../http/fixtures/bodies.js';
import { enterAs } from '../http/fixtures/browser.js';
import { callV1 } from '../http/fixtures/call-v1.js';
import { found } from '../http/fixtures/scripted-runner.js';
import { isBehindNginx, startTestService, type TestService } from '../http/fixtures/test-service.js';
import { insertTrack } from '../streams/fixtures/insert-track.js';
import { createFollower } from './follower.js';
import { writeAccountEvents } from './routes.js';

let service: TestService;
const open: Followed[] = [];
beforeAll(async () => {
  service = await startTestService();
});
afterEach(() => {
  for (const each of open.splice(0)) each.leave();
});
afterAll(() => service.stop());

const follow = async (key = service.key, headers = { 'x-api-key': key } as Headers, path = '/api/events') => {
  const followed = await followEvents(service, path, headers);
  open.push(followed);
  return followed;
};
type Headers = Readonly<Record<string, string>>;
const until = (look: () => void, timeoutMs = 60_000) =>
  vi.waitFor(look, { timeout: timeoutMs, interval: 30 });
const predict = (key?: string) => {
  service.runner.script = async () => found;
  const sent = multipart([{ name: 'image', fileName: 'a.jpg', content: imageBytes(3000) }]);
  return callV1(service, `/predict/image${key ? `?apikey=${key}` : ''}`, { sent });
};

describe('whoever follows an account', () => {
  test('gets calls and analyses after the page was opened, and none before', async () => {
    const before = (await predict()).json.fileid;
    expect(await service.callsUsed()).toBe(1);
    const followed = await follow();
    await until(() => expect(followed.text).toMatch(/^retry: 2000\nevent: open\ndata: \{\}\n\n/));
    expect(followed.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // For nginx, which does not pass it on.
      ...(isBehindNginx ? {} : { 'x-accel-buffering': 'no' }),
    });
    const { fileid } = (await predict()).json;
    await until(() => expect(followed.text).toContain('event: usage'));
    await until(() => expect(followed.text).toContain(fileid));
    expect(followed.text).toMatch(/event: usage\ndata: \{"limit":null,"used":2,"left":null\}\n\n/);
    expect(followed.text).toMatch(
      /event: analysis\ndata: \{"fileid":"[0-9a-f]{32}","operation":"v1\.predict_image","created_at":"20/,
    );
    expect(followed.text).not.toContain(before);
    expect(followed.text.split(fileid)).toHaveLength(2);
  });

  test('gets the progress of files of drops', async () => {
    const drops = dropCalls(service);
    const drop = await drops.make();
    const followed = await follow();
    await until(() => expect(followed.text).toContain('event: open'));
    await drops.send(drop, ['notes.txt'], Buffer.from('no image at all'));
    await until(() =>
      expect(followed.text).toMatch(
        new RegExp(
          `event: drop_file\ndata: \\{"id":"[^"]+","drop_id":${drop.id},"name":"notes.txt","state":"failed"\\}`,
        ),
      ),
    );
  });

  test('gets the progress of jobs, each state once', async () => {
    const followed = await follow();
    await until(() => expect(followed.text).toContain('event: open'));
    const { query, write } = service.database;
    const id = '00000000-0000-4000-8000-00000000000a';
    await write([
      query.insertInto('job').values({
        id,
        account_id: service.accountId,
        kind: 'train-model',
        subject: '1001',
        payload: '{}',
        state: 'running',
        due_at: Date.now() + 1e9,
        created_at: Date.now(),
        done: 1,
        total: 4,
      }),
    ]);
    await until(() => expect(followed.text).toContain('"percent":25'));
    await write([query.updateTable('job').set({ done: 2 }).where('id', '=', id)]);
    await until(() => expect(followed.text).toContain('"percent":50'));
    await write([query.updateTable('job').set({ state: 'done', ended_at: Date.now() }).where('id', '=', id)]);
    await until(() => expect(followed.text).toMatch(/event: job\ndata: \{[^\n]*"state":"done"/));
    expect(followed.text.match(/"percent":25/g)).toHaveLength(1);
  });

  test('gets what happens in streams and how these are, in order and once', async () => {
    const source = { kind: 'rtsp', address: 'rtsp://10.0.0.1/' };
    const body = { name: 'door', source, enabled: false };
    const { json: stream } = await callApi(service, '/api/streams', { method: 'POST', body });
    const { accountId } = service;
    const seen = { accountId, streamId: stream.id };
    await insertTrack(service, { ...seen, label: 'before' });
    const followed = await follow();
    await until(() => expect(followed.text).toContain('event: open'));
    const kinds = ['start', 'zone_entered', 'end'] as const;
    const [track, hidden] = [
      await insertTrack(service, { ...seen, kinds, zone: 'gate' }),
      await insertTrack(service, { ...seen, label: 'hidden' }),
    ];
    await callApi(service, `/api/stream-tracks/${hidden}`, { method: 'DELETE' });
    await until(() => expect(followed.text).toContain('"kind":"end"'));
    const sent = [...followed.text.matchAll(/event: stream_event\ndata: (.*)\n/g)].map(([, data = '']) =>
      JSON.parse(data),
    );
    const ofTrack = sent.filter(({ track_id }) => track_id === track);
    expect(ofTrack.map(({ kind }) => kind)).toEqual(kinds);
    const { json: listed } = await callApi(service, `/api/stream-events?track_id=${track}`);
    expect(ofTrack).toEqual(listed.data.toReversed());
    expect(followed.text).not.toContain('before');

    await callApi(service, `/api/streams/${stream.id}`, { method: 'PATCH', body: { enabled: true } });
    await until(() =>
      expect(followed.text).toContain(
        `event: stream_state\ndata: {"stream_id":${stream.id},"state":"connecting","reason":null,"fps":0,"last_frame_at":null}\n`,
      ),
    );
  });

  test('gets nothing of another account', async () => {
    const { key } = await service.makeKey('another');
    const followed = await follow(key);
    const own = await follow();
    await until(() => expect(followed.text + own.text).toMatch(/open[\s\S]*open/));
    await predict();
    await until(() => expect(own.text).toContain('event: analysis'));
    await predict(key);
    await until(() => expect(followed.text).toContain('event: analysis'));
    expect(followed.text.match(/event: analysis/g)).toHaveLength(1);
  });

  test('with a credential that is revoked gets no more events', async () => {
    const { json } = await callApi(service, '/api/keys', { method: 'POST', body: { name: 'page' } });
    const followed = await follow(json.key);
    await until(() => expect(followed.text).toContain('event: open'));
    await callApi(service, `/api/keys/${json.id}`, { method: 'DELETE' });
    await until(() => expect(followed.ended).toBe(true));
    expect((await follow(json.key)).status).toBe(401);
  });

  describe.each([
    ['/api/events', 'the account'],
    ['/api/jobs/00000000-0000-4000-8000-00000000000b/events', 'a job'],
  ])('by a session at %s', (path) => {
    const openAs = async (role: 'owner' | 'member') => {
      const { query, write } = service.database;
      const id = '00000000-0000-4000-8000-00000000000b';
      const job = {
        id,
        account_id: service.accountId,
        kind: 'train-model',
        subject: '1',
        payload: '{}',
        state: 'running' as const,
        due_at: Date.now() + 1e9,
        created_at: Date.now(),
        done: 1,
        total: 4,
      };
      await write([
        query
          .insertInto('job')
          .values(job)
          .onConflict((conflict) => conflict.doNothing()),
      ]);
      const browser = await enterAs(service, service.accountId, role, `${randomUUID()}@example.com`);
      const { user } = (await browser.call('/api/session')).json;
      const followed = await follow(service.key, { cookie: browser.jar.cookie }, path);
      await until(() => expect(followed.text).toMatch(/event: (open|progress)/));
      return { browser, user, followed };
    };

    test('gets no more events once it is signed out everywhere', async () => {
      const { browser, followed } = await openAs('member');
      const { text } = followed;
      await browser.call('/api/sessions', { method: 'DELETE' });
      await predict();
      await until(() => expect(followed.ended).toBe(true), 3000);
      expect(followed.text).toBe(text);
    });

    test('gets no more events once its user is removed', async () => {
      const owner = await openAs('owner');
      const { user, followed } = await openAs('member');
      const { text } = followed;
      expect((await owner.browser.call(`/api/members/${user.id}`, { method: 'DELETE' })).status).toBe(200);
      await predict();
      await until(() => expect(followed.ended).toBe(true), 3000);
      expect(followed.text).toBe(text);
      expect(owner.followed.ended).toBe(false);
    });
  });

  test('whose role changes meanwhile can still read, and change nothing more', async () => {
    const owner = await enterAs(service, service.accountId, 'owner', 'keeps@example.com');
    const member = await enterAs(service, service.accountId, 'member', 'falls@example.com');
    const followed = await follow(service.key, { cookie: member.jar.cookie });
    await until(() => expect(followed.text).toContain('event: open'));
    const { user } = (await member.call('/api/session')).json;
    await owner.call(`/api/members/${user.id}`, { method: 'PATCH', body: { role: 'reader' } });
    const changed = await member.call('/api/perceptions', { method: 'POST', body: { name: 'no' } });
    expect(changed.json.code).toBe('not_allowed');
    await predict();
    await until(() => expect(followed.text).toContain('event: analysis'));
  });
});

test('a follower who reads too slowly gets the event to read the lists again, and holds no more', async () => {
  const follower = createFollower();
  const usage = { kind: 'usage', callsUsed: 1, callLimit: null } as const;
  for (let n = 0; n < 3; n += 1) follower.add(Array(900).fill(usage));
  const { signal } = new AbortController();
  expect(await follower.take(10, signal)).toHaveLength(901);
  expect(await follower.take(10, signal)).toEqual([]);
});

test('when nothing changes a ping says so every 15 seconds', async () => {
  vi.useFakeTimers();
  try {
    const leaving = new AbortController();
    const events = writeAccountEvents(createFollower(), async () => true, leaving.signal);
    expect((await events.next()).value).toContain('event: open');
    const next = events.next();
    await vi.advanceTimersByTimeAsync(14_900);
    leaving.signal.throwIfAborted();
    await vi.advanceTimersByTimeAsync(200);
    expect((await next).value).toBe('event: ping\ndata: {}\n\n');
    leaving.abort();
  } finally {
    vi.useRealTimers();
  }
});

test('a service that stops does not wait for its followers', async () => {
  const other = await startTestService();
  const answer = await request(`${other.base}/api/events`, { headers: { 'x-api-key': other.key } });
  const reading = answer.body.text();
  await other.stop();
  expect(await reading).toContain('event: open');
});
