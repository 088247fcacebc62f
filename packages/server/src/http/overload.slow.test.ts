import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { enterAs, enterAsAdministrator } from './fixtures/browser.js';
import { askAlone, beginning, type Held, hold as holdOne } from './fixtures/crowd.js';
import type { TestService } from './fixtures/test-service.js';
import { useServices } from './fixtures/use-services.js';

const start = useServices();
const allHeld: Held[] = [];
const hold: typeof holdOne = async (...words) => {
  const held = await holdOne(...words);
  allHeld.push(held);
  return held;
};
// A service that is closed would wait for the requests that are under way.
afterEach(() => release(allHeld.splice(0)));
const patience = { timeout: 120_000 };
/** Of a test that starts a service of its own, on a machine that has much else to do. */
const limit = { timeout: 300_000 };

/** Calls of a trial account under way, of which each is counted before its body is read. */
async function callsUnderWay(service: TestService, count: number, { from = '127.0.0.1', headers = '' } = {}) {
  const { key, accountId } = await service.makeKey(`busy ${from} ${headers}`);
  const held: Held[] = [];
  for (let n = 0; n < count; n += 1) held.push(await hold(service, beginning(key, headers), from));
  await expect.poll(() => service.callsUsed(accountId), patience).toBe(count);
  return { key, accountId, held };
}
const release = (held: readonly Held[]) => {
  for (const { socket } of held) socket.destroy();
};

/** Sends requests, so many in a chunk, and reads no answer: until the connection is closed, or takes no more. */
async function sendUnread(port: number, text: string, together: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  await new Promise((resolve) => socket.once('connect', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const chunk = Buffer.from(text.repeat(together));
  for (let sent = 0; sent < 20_000 && !socket.destroyed; sent += together) {
    const isTaken = new Promise((resolve) => socket.write(chunk, resolve));
    await Promise.race([isTaken, closed]);
    if (socket.writableLength > 1_000_000) break;
  }
  return socket;
}

/** A job that nobody works on. */
async function waitingJob({ database, accountId }: TestService, id: string): Promise<string> {
  const { query, write } = database;
  await write([
    query.insertInto('job').values({
      id,
      account_id: accountId,
      kind: 'train-model',
      subject: id,
      payload: '{}',
      state: 'running',
      due_at: Date.now() + 1e9,
      created_at: Date.now(),
      done: 1,
      total: 4,
    }),
  ]);
  return `/api/jobs/${id}/events`;
}
const jobId = '00000000-0000-4000-8000-00000000000c';
const following = (path: string, key: string) =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`;
const statusOf = ({ heard }: Held) => heard().split(' ')[1];

describe('streams of events', limit, () => {
  test('sixty of one waiting job leave connections to all others', async () => {
    const service = await start({ maxConnections: 60 });
    const path = await waitingJob(service, jobId);
    const held: Held[] = [];
    for (let n = 0; n < 60; n += 1) held.push(await hold(service, following(path, service.key)));
    await expect.poll(() => held.every((each) => statusOf(each) !== undefined), patience).toBe(true);
    expect(held.filter((each) => statusOf(each) === '200')).toHaveLength(15);
    const refused = held.filter((each) => statusOf(each) === '429');
    expect(refused).toHaveLength(45);
    expect(refused[0]?.heard()).toMatch(
      /retry-after: 1\r\n[\s\S]*15 streams of events of this account[\s\S]*"too_many_requests"/i,
    );
    expect((await askAlone(service, '/livez')).status).toBe(200);
    const account = await askAlone(service, '/api/account', { headers: { 'x-api-key': service.key } });
    expect(account.status).toBe(200);
    const { key } = await service.makeKey('another');
    const other = await hold(service, following('/api/events', key));
    await expect.poll(() => statusOf(other), patience).toBe('200');
  });

  test('are counted of an account, of an address and of all, and one that ends makes room', async () => {
    const service = await start({ maxEventStreams: 6, eventStreamsPerAccount: 2, eventStreamsPerAddress: 3 });
    const path = await waitingJob(service, jobId);
    const follow = async (at: string, key: string, from?: string) => {
      const stream = await hold(service, following(at, key), from);
      await expect.poll(() => statusOf(stream), patience).toBeDefined();
      return stream;
    };
    const [second, third, fourth] = [
      (await service.makeKey('two')).key,
      (await service.makeKey('three')).key,
      (await service.makeKey('four')).key,
    ];
    const first = await follow(path, service.key);
    expect([first, await follow('/api/events', service.key)].map(statusOf)).toEqual(['200', '200']);
    expect(statusOf(await follow('/api/events', service.key, '127.0.0.2'))).toBe('429');
    expect(statusOf(await follow('/api/events', second))).toBe('200');
    const ofAddress = await follow('/api/events', second);
    expect(ofAddress.heard()).toMatch(/ 429 [\s\S]*3 streams of events of this address/);
    for (const key of [second, third, third]) {
      expect(statusOf(await follow('/api/events', key, '127.0.0.2'))).toBe('200');
    }
    const ofAll = await follow('/api/events', fourth, '127.0.0.3');
    expect(ofAll.heard()).toMatch(/ 503 [\s\S]*retry-after: 1\r\n[\s\S]*"service_busy"/i);
    first.socket.destroy();
    const again = async () => statusOf(await follow('/api/events', fourth, '127.0.0.3'));
    await expect.poll(again, patience).toBe('200');
  });

  test('of one credential ask together whether it is still good, and end with it', async () => {
    const service = await start();
    const path = await waitingJob(service, jobId);
    const browser = await enterAs(service, service.accountId, 'member', 'member@example.com');
    const cookie = `GET ${path} HTTP/1.1\r\nHost: a\r\nCookie: ${browser.jar.cookie}\r\n\r\n`;
    const held: Held[] = [];
    for (let n = 0; n < 20; n += 1) held.push(await hold(service, cookie));
    await expect
      .poll(() => held.every(({ heard }) => heard().includes('event: progress')), patience)
      .toBe(true);
    const find = vi.spyOn(service.users.sessions, 'find');
    const startedMs = performance.now();
    await expect.poll(() => find.mock.calls.length, patience).toBeGreaterThan(3);
    // The job is looked at twice a second: each of the twenty by itself would have asked twenty times as often.
    expect(find.mock.calls.length).toBeLessThan((performance.now() - startedMs) / 500 + 3);
    await browser.call('/api/session', { method: 'DELETE' });
    // The last chunk of a body that ended.
    await expect
      .poll(() => held.every(({ heard }) => heard().endsWith('\r\n0\r\n\r\n')), patience)
      .toBe(true);
  });
});

describe('when every connection has a request under way', limit, () => {
  test('health checks and administrators are answered on reserved ones, and nobody else', async () => {
    const service = await start({ maxConnections: 3, connectionsReserved: 2 });
    const administrator = { headers: { cookie: (await enterAsAdministrator(service)).jar.cookie } };
    const member = await enterAs(service, service.accountId, 'owner', 'owner@example.com');
    const { held } = await callsUnderWay(service, 3);
    for (const path of ['/livez', '/readyz']) expect((await askAlone(service, path)).status).toBe(200);
    expect((await askAlone(service, '/api/admin/accounts', administrator)).status).toBe(200);
    for (const asked of [
      await askAlone(service, '/api/account', { headers: { cookie: member.jar.cookie } }),
      await askAlone(service, '/api/account', { headers: { 'x-api-key': service.key } }),
      await askAlone(service, '/api/account', { headers: { cookie: 'lynceus_session=nobody' } }),
      await askAlone(service, '/predict/image'),
      await askAlone(service, '/nothing'),
      await askAlone(service, '/api/events', administrator),
    ]) {
      expect([asked.status, asked.headers['retry-after'], asked.headers['connection']]).toEqual([
        503,
        '1',
        'close',
      ]);
      expect(asked.text).toContain('service_busy');
    }
    release(held);
    await expect.poll(async () => (await askAlone(service, '/predict/image')).status, patience).toBe(401);
  });

  test('nobody holds a reserved connection by silence, by a slow head or by a body that is refused', async () => {
    const service = await start({ maxConnections: 1, connectionsReserved: 2 });
    const { key } = await callsUnderWay(service, 1);
    const check = 'GET /livez HTTP/1.1\r\nHost: a\r\n';
    const slowBody = `${check}Content-Length: 1000\r\n\r\na`;
    const withBody = `${check}Content-Length: 1\r\n\r\na`;
    for (const text of [
      ...['', `${check}X-Slow: `, beginning(key), beginning(key)],
      // Health checks with bodies that do not come, alone and behind others on one connection.
      ...[slowBody, `${check}Transfer-Encoding: chunked\r\n\r\n5\r\na`],
      ...[withBody.repeat(20) + slowBody, withBody + beginning(key), `${check}\r\n`.repeat(20)],
      slowBody.replace('/livez', '/readyz').replace('GET', 'POST'),
    ]) {
      await hold(service, text);
      await hold(service, text);
      for (let round = 0; round < 3; round += 1) expect((await askAlone(service, '/livez')).status).toBe(200);
    }
  });

  test('nobody holds a reserved connection by health checks whose answers they do not read', async () => {
    const service = await start({ maxConnections: 1, connectionsReserved: 2 });
    await callsUnderWay(service, 1);
    // With a body the connection stays open, for that is read away.
    const check = 'GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na';
    for (const together of [1, 8, 30]) {
      const deaf = await Promise.all([1, 2].map(() => sendUnread(service.port, check, together)));
      for (let round = 0; round < 3; round += 1) expect((await askAlone(service, '/livez')).status).toBe(200);
      for (const socket of deaf) socket.destroy();
    }
  });

  test('sessions that a slow database is asked for hold half of the reserved connections at most', async () => {
    const service = await start({ maxConnections: 1, connectionsReserved: 4 });
    await callsUnderWay(service, 1);
    let answer: (session: null) => void = () => undefined;
    const slowly = new Promise<null>((resolve) => {
      answer = resolve;
    });
    const find = vi.spyOn(service.users.sessions, 'find').mockReturnValue(slowly);
    const forged = { headers: { cookie: 'lynceus_session=forged' } };
    for (let n = 0; n < 2; n += 1) {
      await hold(service, 'GET /api/account HTTP/1.1\r\nHost: a\r\nCookie: lynceus_session=forged\r\n\r\n');
    }
    await expect.poll(() => find.mock.calls.length, patience).toBe(2);
    for (let round = 0; round < 5; round += 1) {
      expect((await askAlone(service, '/api/account', forged)).status).toBe(503);
      expect((await askAlone(service, '/livez')).status).toBe(200);
    }
    expect(find.mock.calls).toHaveLength(2);
    answer(null);
  });

  test('a body that is refused on a reserved one is read away, so that its client hears why', async () => {
    const service = await start({ maxConnections: 1 });
    const { key } = await callsUnderWay(service, 1);
    const refused = await hold(service, beginning(key));
    await expect.poll(() => refused.heard(), patience).toMatch(/^HTTP\/1\.1 503 [\s\S]*"service_busy"/);
    refused.socket.write('a'.repeat(1000));
    // It is open still, and answered again.
    refused.socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => refused.heard(), patience).toMatch(/HTTP\/1\.1 200 /);
  });
});

describe('connections', limit, () => {
  test('of one address are bounded, and leave others and health checks alone', async () => {
    const service = await start({ connectionsPerAddress: 3 });
    const idle = [await hold(service, ''), await hold(service, ''), await hold(service, '')];
    // Those who hold connections for nothing make room for the address's own.
    const { held } = await callsUnderWay(service, 3);
    await expect.poll(() => idle.every(({ socket }) => socket.destroyed), patience).toBe(true);
    const refused = await askAlone(service, '/predict/image');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    expect(refused.text).toContain('connections of this address');
    expect((await askAlone(service, '/livez')).status).toBe(200);
    expect((await askAlone(service, '/predict/image', { from: '127.0.0.2' })).status).toBe(401);
    release(held);
    await expect.poll(async () => (await askAlone(service, '/predict/image')).status, patience).toBe(401);
  });

  test('of a trusted proxy are not counted by its address, but its requests by their clients', async () => {
    const service = await start({ connectionsPerAddress: 2, trustedProxies: '127.0.0.0/8' });
    const [one, other] = ['203.0.113.1', '203.0.113.2'].map((client) => `X-Forwarded-For: ${client}\r\n`);
    await callsUnderWay(service, 2, { headers: one ?? '' });
    await callsUnderWay(service, 2, { headers: other ?? '' });
    const from = async (client: string) =>
      (await askAlone(service, '/predict/image', { headers: { 'x-forwarded-for': client } })).status;
    expect([await from('203.0.113.1'), await from('203.0.113.2'), await from('203.0.113.3')]).toEqual([
      429, 429, 401,
    ]);
  });

  test('of one account are bounded, its administrators aside, and leave other accounts alone', async () => {
    const service = await start({ connectionsPerAccount: 2 });
    const { jar } = await enterAsAdministrator(service);
    const { key, accountId } = await callsUnderWay(service, 2);
    const { database } = service;
    const refused = await askAlone(service, `/predict/image?apikey=${key}`);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    expect(refused.text).toContain('2 connections of this account');
    expect((await askAlone(service, `/api/account?api_key=${key}`)).status).toBe(429);
    const asOther = await askAlone(service, '/api/account', { headers: { 'x-api-key': service.key } });
    expect(asOther.status).toBe(200);
    const { query } = database;
    await database.write([query.updateTable('web_user').set({ account_id: accountId })]);
    expect((await askAlone(service, '/api/account', { headers: { cookie: jar.cookie } })).status).toBe(200);
  });
});
