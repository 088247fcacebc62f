import { connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findFreePort } from '../../delivery/fixtures/started-program.js';
import { type Browser, enterAs, enterAsAdministrator } from '../../http/fixtures/browser.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { jpeg, makeCompatKey } from '../common/fixtures/compat-client.js';
import { createCompatListeners } from '../running-listeners.js';
import { askFrom, imageForm } from './fixtures/ask-from.js';

let service: TestService;
let administrator: Browser;
let ports: number[];
let keyId: number;
beforeAll(async () => {
  ports = [];
  while (ports.length < 6) ports.push(await findFreePort());
  service = await startTestService({
    ...{ compatListenerPorts: ports.join(','), trustedProxies: '127.0.0.9', listenersIntervalMs: 50 },
  });
  administrator = await enterAsAdministrator(service);
  keyId = (await makeCompatKey(service, { protocol: 'deepstack' })).id;
});
afterAll(() => service.stop());

const usual = { allowed_networks: ['127.0.0.1/32'] };
const make = async (body: Readonly<Record<string, unknown>>) => {
  const { status, json } = await administrator.call('/api/compat-listeners', {
    method: 'POST',
    body: { ...usual, key_id: keyId, ...body },
  });
  return { status, json };
};
const remove = (id: number) => administrator.call(`/api/compat-listeners/${id}`, { method: 'DELETE' });
const list = async () => (await administrator.call('/api/compat-listeners')).json.data;
const detect = (port: number, more: { headers?: Record<string, string>; from?: string } = {}) => {
  const { headers, body } = imageForm(jpeg);
  return askFrom({
    ...{ port, method: 'POST', path: '/v1/vision/detection', body, ...more },
    headers: { ...headers, ...more.headers },
  });
};

describe('a listener', () => {
  let port: number;
  let id: number;
  beforeAll(async () => {
    port = ports[0] ?? 0;
    const { status, json } = await make({ port });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      ...{ port, host: '127.0.0.1', key_id: keyId, key_name: 'client', protocol: 'deepstack' },
      ...{ allowed_networks: ['127.0.0.1/32'], state: 'listening', reason: null },
    });
    id = json.id;
  });
  afterAll(() => remove(id));

  test('answers who sends no key, or any, by the access of its own', async () => {
    const used = (await service.callsUsed()) ?? 0;
    for (const headers of [{}, { 'x-api-key': 'wrong' }, { 'x-api-key': service.key }]) {
      const { status, text } = await detect(port, { headers });
      expect([status, JSON.parse(text)]).toMatchObject([200, { success: true, count: 3 }]);
    }
    expect(await service.callsUsed()).toBe(used + 3);
    const counted = service.logged('request').filter((line) => line['listener'] === id);
    expect(counted.at(-1)).toMatchObject({ route: '/v1/vision/detection', keyId, status: 200 });
  });

  test.each(['/', '/v1/status/ping', '/v1/server/status/ping', '/v1/server/status/anything'])(
    'answers the probe %s',
    async (path) => {
      const { status, text } = await askFrom({ port, path });
      expect([status, JSON.parse(text).success]).toEqual([200, true]);
    },
  );

  test.each(['/api/account', '/livez', '/docs', '/detectors', '/predict/image'])(
    'has nothing else, such as %s',
    async (path) => {
      const { status, text } = await askFrom({ port, path, headers: { 'x-api-key': service.key } });
      expect([status, JSON.parse(text)]).toMatchObject([404, { success: false, error: expect.any(String) }]);
    },
  );

  test('takes several slashes in a row for one, as of a base address that ends with one', async () => {
    const { headers, body } = imageForm(jpeg);
    const answer = await askFrom({ port, method: 'POST', path: '//v1//vision/detection', headers, body });
    expect(answer.status).toBe(200);
    expect((await askFrom({ port, path: '//api//account' })).status).toBe(404);
  });

  test('says in the form of its protocol what is no request', async () => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    socket.write('POST /v1/vision/a b HTTP/1.1\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(body)).toMatchObject({
      success: false,
      error: expect.stringMatching(/not valid HTTP/),
    });
  });

  test('closes connections of other networks before anything is read', async () => {
    const before = service.runner.seen.length;
    const answer = await detect(port, { from: '127.0.0.2', headers: { 'x-forwarded-for': '127.0.0.1' } });
    expect(answer.status).toBe('closed');
    expect(service.logged('an address outside the networks of a listener was refused')).toMatchObject([
      { listener: id, address: '127.0.0.2' },
    ]);
    expect(service.runner.seen).toHaveLength(before);
  });

  test('believes X-Forwarded-For of trusted proxies alone', async () => {
    const through = (client: string) =>
      detect(port, { from: '127.0.0.9', headers: { 'x-forwarded-for': client } });
    expect((await through('127.0.0.1')).status).toBe(200);
    expect((await through('10.0.0.1')).status).toBe(403);
    expect((await through('127.0.0.1, 10.0.0.1')).status).toBe(403);
    expect((await through('nonsense')).status).toBe(403);
    // The proxy by itself is in no network of the listener.
    expect((await detect(port, { from: '127.0.0.9' })).status).toBe(403);
    const direct = await detect(port, { headers: { 'x-forwarded-for': '10.0.0.1' } });
    expect(direct.status).toBe(200);
  });

  test('is for no page in a browser of its networks', async () => {
    expect((await detect(port, { headers: { origin: 'https://far.example' } })).status).toBe(403);
    expect((await detect(port, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    expect((await detect(port, { headers: { 'sec-fetch-site': 'none' } })).status).toBe(200);
    // An image of a page says by its Referer alone who shows it, where the listener is asked by plain HTTP.
    for (const referer of [
      'https://far.example/',
      'http://127.0.0.1:1/',
      'http://far.example',
      'nothing',
      '',
    ]) {
      expect([referer, (await detect(port, { headers: { referer } })).status]).toEqual([referer, 403]);
    }
    const own = await detect(port, { headers: { referer: `http://127.0.0.1:${port}/page` } });
    expect([own.status, own.headers['cross-origin-resource-policy']]).toEqual([200, 'same-origin']);
    const refused = await detect(port, { headers: { referer: 'https://far.example/' } });
    expect(refused.headers['cross-origin-resource-policy']).toBe('same-origin');
    // One whose name leads to this machine.
    expect((await detect(port, { headers: { host: 'far.example:80' } })).status).toBe(403);
    for (const host of ['127.0.0.1', '[::1]:80', 'cameras', 'cameras.lan:5000', 'Cameras.Local']) {
      expect([host, (await detect(port, { headers: { host } })).status]).toEqual([host, 200]);
    }
  });

  test('is one of several at once, each of its own key and protocol', async () => {
    const doods = await makeCompatKey(service, { protocol: 'doods' });
    const other = ports[1] ?? 0;
    const { json } = await make({ port: other, key_id: doods.id });
    const body = JSON.stringify({ data: jpeg.toString('base64'), detect: { '*': 40 } });
    const asked = { method: 'POST', path: '/detect', body };
    const answer = await askFrom({ ...asked, port: other });
    expect([answer.status, JSON.parse(answer.text).detections]).toMatchObject([
      200,
      [{ label: 'dog' }, {}, {}],
    ]);
    expect((await askFrom({ ...asked, port })).status).toBe(404);
    expect((await detect(other)).status).toBe(404);
    expect(await list()).toMatchObject([{ port }, { port: other, protocol: 'doods', state: 'listening' }]);
    await remove(json.id);
  });

  test('follows its key to another protocol', async () => {
    const own = await makeCompatKey(service, { protocol: 'doods' });
    const other = ports[1] ?? 0;
    const { json } = await make({ port: other, key_id: own.id });
    await fetch(`${service.base}/api/keys/${own.id}`, {
      method: 'PATCH',
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      body: JSON.stringify({ compat: { protocol: 'deepstack' } }),
    });
    await vi.waitFor(async () => expect((await detect(other)).status).toBe(200), 5000);
    await remove(json.id);
  });

  test('refuses everything once its key is revoked', async () => {
    const own = await makeCompatKey(service, { protocol: 'deepstack' });
    const other = ports[1] ?? 0;
    const { json } = await make({ port: other, key_id: own.id });
    expect((await askFrom({ port: other })).status).toBe(200);
    await fetch(`${service.base}/api/keys/${own.id}`, {
      ...{ method: 'DELETE', headers: { 'x-api-key': service.key } },
    });
    expect((await askFrom({ port: other })).status).toBe(401);
    expect((await detect(other)).status).toBe(401);
    for (const path of ['/nowhere', '/v1/nowhere', '/v1/status/ping'])
      expect((await askFrom({ port: other, path })).status).toBe(401);
    await remove(json.id);
  });

  test('closes its port when it is deleted', async () => {
    const other = ports[1] ?? 0;
    const { json } = await make({ port: other });
    expect((await askFrom({ port: other })).status).toBe(200);
    expect((await remove(json.id)).status).toBe(204);
    expect((await askFrom({ port: other })).status).toBe('refused');
    expect((await remove(json.id)).status).toBe(404);
  });

  test('whose port another program has is kept, and opened when it is free', async () => {
    const other = ports[2] ?? 0;
    const program = createServer();
    await new Promise<void>((resolve) => program.listen(other, '127.0.0.1', resolve));
    const { status, json } = await make({ port: other });
    expect([status, json.state, json.reason]).toEqual([
      201,
      'failed',
      `port ${other} is in use by another program`,
    ]);
    expect(service.logged('a listener could not be opened')).toMatchObject([{ port: other }]);
    await new Promise((resolve) => program.close(resolve));
    await vi.waitFor(async () => expect((await askFrom({ port: other })).status).toBe(200), 5000);
    expect((await list()).at(-1)).toMatchObject({ port: other, state: 'listening', reason: null });
    await remove(json.id);
  });
});

describe('what is refused', () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    ['a port that the setting does not name', { port: 1 }, /compatListenerPorts.*LYNCEUS_COMPAT_LISTENER/],
    ['no networks', { allowed_networks: [] }, /allowed_networks/],
    ['no network', { allowed_networks: ['example.com'] }, /allowed_networks: example\.com/],
    ['all addresses', { allowed_networks: ['0.0.0.0/0'] }, /allowed_networks/],
    ['all of IPv4 as IPv6', { allowed_networks: ['::ffff:0.0.0.0/96'] }, /allowed_networks/],
    ['half of IPv6, with all of IPv4', { allowed_networks: ['::/1'] }, /allowed_networks/],
    ['all addresses in two', { allowed_networks: ['0.0.0.0/1', '128.0.0.0/1'] }, /allowed_networks/],
    ['a host by name', { host: 'localhost' }, /host: localhost/],
    ['a key of an account', { key_id: 1 }, /key_id: 1/],
    ['an unknown key', { key_id: 999_999 }, /key_id: 999999/],
  ])('%s', async (_case, body, detail) => {
    const { status, json } = await make({ port: ports[3], ...body });
    expect([status, json.code, json.detail]).toEqual([
      400,
      'wrong_parameters',
      expect.stringMatching(detail),
    ]);
    expect(await list()).toEqual([]);
  });

  test('a port that has a listener', async () => {
    const { json } = await make({ port: ports[3] });
    expect((await make({ port: ports[3] })).json.code).toBe('conflict');
    await remove(json.id);
  });

  test('whoever is no administrator', async () => {
    const owner = await enterAs(service, service.accountId, 'owner', 'owner@example.com');
    expect((await owner.call('/api/compat-listeners')).json.code).toBe('not_allowed');
    const answer = await fetch(`${service.base}/api/compat-listeners`, {
      headers: { 'x-api-key': service.key },
    });
    expect(answer.status).toBe(403);
  });
});

test('what was opened and closed is in the audit log of the account', async () => {
  const { json } = await make({ port: ports[3] });
  await remove(json.id);
  const { json: log } = await administrator.call('/api/audit');
  const subject = { kind: 'compat_listener', name: `127.0.0.1 ${ports[3]}` };
  expect(log.data.slice(0, 2)).toMatchObject([
    { action: 'compat_listeners.delete', subject, details: { key_id: keyId } },
    { action: 'compat_listeners.create', subject, details: { allowed_networks: ['127.0.0.1/32'] } },
  ]);
});

test('what is under way when a listener is deleted, or the service stops, is answered', async () => {
  const stopped = await startTestService({ compatListenerPorts: ports.join(',') });
  const root = await enterAsAdministrator(stopped);
  const own = await makeCompatKey(stopped, { protocol: 'deepstack' });
  const release: (() => void)[] = [];
  const { script } = stopped.runner;
  stopped.runner.script = async (signal, bytes) => {
    await new Promise<void>((resolve) => release.push(resolve));
    return script(signal, bytes);
  };
  const answers = [];
  const ids: number[] = [];
  for (const [at, port] of [ports[0] ?? 0, ports[1] ?? 0].entries()) {
    const body = { ...usual, port, key_id: own.id };
    ids.push((await root.call('/api/compat-listeners', { method: 'POST', body })).json.id);
    answers.push(detect(port));
    await vi.waitFor(() => expect(release).toHaveLength(at + 1));
  }
  await root.call(`/api/compat-listeners/${ids[0]}`, { method: 'DELETE' });
  const ended = stopped.stop();
  await vi.waitFor(async () => {
    for (const port of ports.slice(0, 2)) expect((await askFrom({ port })).status).toBe('refused');
  });
  for (const each of release) each();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  await ended;
});

test('goes with the account of its key', async () => {
  const { key, accountId } = await service.makeKey('other');
  const own = await makeCompatKey({ ...service, key }, { protocol: 'deepstack' });
  await make({ port: ports[4], key_id: own.id });
  const path = `/api/admin/accounts/${accountId}/deletion`;
  await administrator.call(path, { method: 'PUT', body: { name: 'other', immediately: true } });
  await vi.waitFor(async () => {
    expect((await askFrom({ port: ports[4] ?? 0 })).status).toBe('refused');
    expect(await list()).toEqual([]);
  }, 8000);
});

test('a replica opens what another one made, and after a restart what there was', async () => {
  const { json } = await make({ port: ports[5] });
  const { json: known } = await administrator.call('/api/compat-listeners');
  expect(known.data).toHaveLength(1);
  const opened: number[] = [];
  const start = () =>
    createCompatListeners({
      store: service.compatListenerStore,
      open: async ({ port }) => {
        opened.push(port);
        return { close: async () => void opened.splice(opened.indexOf(port), 1) };
      },
      logger: {
        info: () => undefined,
        warn: () => undefined,
        error: () => undefined,
      },
      isUsed: true,
      intervalMs: 20,
    });
  const replica = start();
  await replica.start();
  expect(opened).toEqual([ports[5]]);
  const { json: another } = await make({ port: ports[1] });
  await vi.waitFor(() => expect(opened).toEqual([ports[5], ports[1]]));
  await remove(another.id);
  await vi.waitFor(() => expect(opened).toEqual([ports[5]]));
  await replica.stop();
  expect(opened).toEqual([]);
  const restarted = start();
  await restarted.start();
  expect(opened).toEqual([ports[5]]);
  await restarted.stop();
  await remove(json.id);
});
