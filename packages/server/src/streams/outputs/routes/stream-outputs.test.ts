import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withHttp } from '../../../delivery/fixtures/remote-http.js';
import { type ApiCall, callApi } from '../../../http/api/fixtures/call-api.js';
import { startTestService, type TestService } from '../../../http/fixtures/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const call = (method: NonNullable<ApiCall['method']>, path: string, body?: unknown) =>
  callApi(service, `/api/stream-outputs${path}`, { method, ...(body === undefined ? {} : { body }) });
const url = 'http://127.0.0.1:9/in';
const brokenCertificate = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';

const add = async (settings: object = {}, more: object = {}) => {
  const { status, json } = await call('POST', '', {
    name: 'hook',
    settings: { kind: 'webhook', url, ...settings },
    ...more,
  });
  if (status !== 201) throw new Error(JSON.stringify(json));
  return json;
};

describe('a new output', () => {
  test('shows every setting, and the key of its signatures once', async () => {
    const { signing_key, ...made } = await add();
    expect(signing_key).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(made).toEqual({
      id: expect.any(Number),
      uid: expect.any(String),
      name: 'hook',
      enabled: true,
      settings: {
        kind: 'webhook',
        url,
        certificate: null,
        certificate_unchecked: false,
        streams: [],
        kinds: [],
        labels: [],
      },
      secrets: ['signing_key'],
      delivered_seq: expect.any(Number),
      failing_since: null,
      error: null,
      given_up: 0,
      created_at: expect.any(String),
    });
    expect((await call('GET', `/${made.id}`)).json).toEqual(made);
    expect((await call('GET', '?limit=1')).json.data).toEqual([made]);
  });

  test('of the kind mqtt has the usual prefixes, and shows no password', async () => {
    const { json } = await call('POST', '', {
      name: 'broker',
      settings: { kind: 'mqtt', url: 'mqtt://127.0.0.1', username: 'desk', home_assistant: true },
      secrets: { password: 'p4ssw0rd' },
    });
    expect(json.settings).toMatchObject({
      prefix: 'lynceus',
      frigate: false,
      frigate_prefix: 'frigate',
      home_assistant: true,
      discovery_prefix: 'homeassistant',
      retain: true,
      client_id: null,
    });
    expect([json.secrets, json.signing_key]).toEqual([['password'], null]);
    expect(JSON.stringify(json)).not.toContain('p4ssw0rd');
  });

  test.each<[object, string | RegExp]>([
    [{ settings: { kind: 'pigeon' } }, /^settings.kind must be webhook, mqtt/],
    [{ settings: { kind: 'webhook' } }, 'settings.url is missing'],
    [{ settings: { kind: 'webhook', url: 'ftp://a' } }, /^settings.url must be an http or https address/],
    [{ settings: { kind: 'webhook', url: 'http://u:p@a/' } }, /^settings.url must be an http/],
    [
      { settings: { kind: 'webhook', url: 'http://a:99999/' } },
      /^settings.url must be an address whose host/,
    ],
    [
      { settings: { kind: 'webhook', url, certificate: brokenCertificate } },
      /^settings.certificate: certificate cannot be read/,
    ],
    [
      { settings: { kind: 'webhook', url }, secrets: { token: '\ud800' } },
      /^secrets.token must be a token of ASCII/,
    ],
    [
      { settings: { kind: 'webhook', url }, secrets: { token: '😀' } },
      /^secrets.token must be a token of ASCII/,
    ],
    [
      { settings: { kind: 'webhook', url }, secrets: { query: 'a b' } },
      /^secrets.query must be what comes after/,
    ],
    [
      { settings: { kind: 'webhook', url }, secrets: { query: 'a#b' } },
      /^secrets.query must be what comes after/,
    ],
    [
      { settings: { kind: 'mqtt', url: 'mqtt://127.0.0.1' }, secrets: { password: '\udc00' } },
      /^secrets.password must be a password/,
    ],
    [{ settings: { kind: 'webhook', url, prefix: 'a' } }, 'there is no parameter settings.prefix'],
    [{ settings: { kind: 'webhook', url, kinds: ['birth'] } }, /^settings.kinds/],
    [
      { settings: { kind: 'webhook', url, streams: [99] } },
      'settings.streams: 99 is not one of your streams',
    ],
    [{ settings: { kind: 'mqtt', url: 'http://a' } }, /^settings.url must be an address such as mqtt:/],
    [{ settings: { kind: 'mqtt', url: 'mqtt://a', prefix: 'a/#' } }, /^settings.prefix must be a beginning/],
    [{ settings: { kind: 'mqtt', url: 'mqtt://a', prefix: '$SYS' } }, /^settings.prefix must/],
    [{ settings: { kind: 'webhook', url, certificate: 'x' } }, /^settings.certificate must be certificates/],
    [{ secrets: { password: 'a' } }, /takes signing_key, token, query, and not password/],
    [{ secrets: { signing_key: 'short' } }, /^secrets.signing_key must be the key/],
    [{ name: ' ' }, /^name must/],
  ])('that cannot work is rejected with what to fix: %j', async (wanted, detail) => {
    const body = { name: 'a', settings: { kind: 'webhook', url }, ...wanted };
    const { status, json } = await call('POST', '', body);
    expect([status, json.detail]).toEqual([
      400,
      typeof detail === 'string' ? detail : expect.stringMatching(detail),
    ]);
  });

  test('above 20 of an account is refused', async () => {
    const other = await service.makeKey('with many');
    const body = { name: 'hook', settings: { kind: 'webhook', url } };
    const post = () => callApi(service, '/api/stream-outputs', { method: 'POST', key: other.key, body });
    for (let index = 0; index < 20; index += 1) expect((await post()).status).toBe(201);
    const { status, json } = await post();
    expect([status, json.code]).toEqual([409, 'account_full']);
  });
});

describe('a change', () => {
  test('leaves what it does not name, and keeps secrets for the same receiver alone', async () => {
    const made = await add({ labels: ['dog'] }, { secrets: { token: 'a-token' } });
    const path = `/${made.id}`;
    const kinds = await call('PATCH', path, { settings: { kind: 'webhook', kinds: ['start'] } });
    expect(kinds.json).toMatchObject({
      settings: { url, labels: ['dog'], kinds: ['start'] },
      secrets: ['signing_key', 'token'],
    });
    const moved = await call('PATCH', path, { settings: { kind: 'webhook', url: 'http://127.0.0.1:9/b' } });
    expect(moved.json.secrets).toEqual(['signing_key']);
    const off = await call('PATCH', path, { enabled: false, name: 'off' });
    expect(off.json).toMatchObject({ enabled: false, name: 'off', settings: { labels: ['dog'] } });
    const other = await call('PATCH', path, { settings: { kind: 'mqtt', url: 'mqtt://127.0.0.1' } });
    expect([other.status, other.json.detail]).toEqual([400, expect.stringMatching(/must be webhook/)]);
  });
});

describe('the test of an output', () => {
  test('sends a signed event that says so, and answers where', async () => {
    const received: { readonly body: string; readonly signature: unknown }[] = [];
    const listener: RequestListener = async (request, response) => {
      received.push({ body: await text(request), signature: request.headers['lynceus-signature'] });
      response.end('thanks');
    };
    await withHttp(listener, async (address) => {
      const made = await add({ url: `${address}/in` });
      const { status, json } = await call('POST', `/${made.id}/test`);
      expect([status, json]).toEqual([
        200,
        { ok: true, where: `${address}/in`, problem: null, message: null, duration_ms: expect.any(Number) },
      ]);
    });
    expect(received).toHaveLength(1);
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ kind: 'test' });
    expect(received[0]?.signature).toMatch(/^t=\d+,v1=/);
  });

  test('answers why it does not work', async () => {
    const made = await add();
    const { status, json } = await call('POST', `/${made.id}/test`);
    expect([status, json.ok, json.problem]).toEqual([200, false, 'not-allowed']);
    const broker = await call('POST', '', {
      name: 'broker',
      settings: { kind: 'mqtt', url: 'mqtt://127.0.0.1:2999' },
    });
    expect((await call('POST', `/${broker.json.id}/test`)).json).toMatchObject({
      ok: false,
      problem: 'unreachable',
      message: expect.stringMatching(/refused/),
    });
  });
});

test('a deleted output is gone', async () => {
  const { id } = await add();
  expect((await call('DELETE', `/${id}`)).status).toBe(204);
  expect((await call('GET', `/${id}`)).status).toBe(404);
  expect((await call('DELETE', `/${id}`)).status).toBe(404);
});
