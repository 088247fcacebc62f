import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { callV1 } from '../../http/fixtures/call-v1.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { dropCalls } from './fixtures/drop-calls.js';

let service: TestService;
let api: ReturnType<typeof dropCalls>;
beforeAll(async () => {
  service = await startTestService({ dropDomain: 'drop.example' });
  api = dropCalls(service);
});
afterAll(() => service.stop());

const sftp = { kind: 'sftp', host: '127.0.0.1', port: 9, user: 'desk' };
const password = 'hunter2-of-the-destination';
const logIn = (userName: string, key: string) =>
  service.dropStore.logIn({ userName, password: key, host: null });

describe('a new drop', () => {
  test('shows its key once, where to send to, and every setting', async () => {
    const { status, json } = await api.post('/api/drops', { name: 'Sports desk' });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      name: 'Sports desk',
      key: expect.stringMatching(/^lyn_/),
      ftp: { host: `${json.ftp.user_name}.drop.example`, port: 2121 },
      sftp: { user_name: json.ftp.user_name, port: null },
      destination: null,
      files: { receiving: 0, waiting: 0, failed: 0, done_today: 0 },
    });
    expect(json.settings).toEqual({
      model_id: null,
      parts: ['classes', 'objects', 'texts', 'faces'],
      keywords: {
        sources: ['names', 'objects', 'classes', 'texts'],
        min_confidence: { names: 0.6, objects: 0.4, classes: 0.3, texts: 0.8, faces: 0.5 },
        max_keywords: 30,
        prefix: '',
        lower_case: false,
        raw_files: 'sidecar',
      },
      detail: 'auto',
      text_languages: [],
      authorized_keys: [],
      other_files: 'fail',
      keep_done_days: 7,
      keep_failed_days: 90,
    });
    expect(await logIn(json.ftp.user_name, json.key)).toMatchObject({ dropId: json.id });
    const { key: _, ...shown } = json;
    expect((await api.get(`/api/drops/${json.id}`)).json).toEqual(shown);
    expect((await api.get('/api/drops?limit=1')).json.data).toEqual([shown]);
  });

  test('of a user name that is taken is refused, and leaves no key behind', async () => {
    await api.make({ user_name: 'taken-1' });
    const before = (await api.get('/api/keys')).json.data.filter(
      (key: { revoked_at: null }) => !key.revoked_at,
    );
    const { status, json } = await api.post('/api/drops', { name: 'b', user_name: 'taken-1' });
    expect([status, json.detail]).toEqual([409, expect.stringContaining('choose another')]);
    const after = (await api.get('/api/keys')).json.data.filter(
      (key: { revoked_at: null }) => !key.revoked_at,
    );
    expect(after).toHaveLength(before.length);
  });

  test.each<[object, string | RegExp]>([
    [{ name: ' ' }, /^name must/],
    [{ user_name: 'A b' }, /^user_name must have 3 to 32/],
    [{ settings: { color: 1 } }, 'there is no parameter settings.color'],
    [
      { settings: { keep_done_days: 400 } },
      /^settings.keep_done_days must be a number of days from 0 to 365/,
    ],
    [{ settings: { keywords: { max_keywords: -1 } } }, /^settings.keywords.max_keywords must be a number/],
    [
      { settings: { keywords: { min_confidence: { names: 2 } } } },
      'settings.keywords.min_confidence.names must be a number from 0 to 1',
    ],
    [{ settings: { text_languages: ['de', 'xx'] } }, /^settings.text_languages.* cs, da, de, .*, tr, zh/],
    [{ settings: { authorized_keys: ['word'] } }, /^settings.authorized_keys\[0\] must be a line such as/],
    [{ settings: { text_languages: 'de' } }, /^settings.text_languages must/],
    [{ settings: { model_id: 'nobodys' } }, /nobodys.* is not one of your models/],
    [{ destination: { kind: 'pigeon' } }, 'destination.kind must be ftp, ftps, sftp, s3, http, folder'],
    [{ destination: { kind: 'ftp', user: 'a' } }, 'destination.host is missing'],
    [{ destination: { ...sftp, port: 70_000 } }, /^destination.port must be a port from 1 to 65535/],
    [{ destination: { ...sftp, bucket: 'a' } }, 'there is no parameter destination.bucket'],
    [{ destination: { ...sftp, path: '../{name}' } }, /^destination.path has a part/],
    [
      { destination: { kind: 'folder', folder: '/etc' } },
      'destination: /etc is not within a folder that the operator allows (dropFolders); the operator can set LYNCEUS_DROP_FOLDERS=/etc, or a folder around it, for the service and for commands',
    ],
    [
      { destination: { ...sftp, host: '192.168.1.5', secrets: { password } } },
      /^destination: the host 192.168.1.5 has a private address/,
    ],
    [{ destination: sftp }, /^destination: sftp needs the secret password or private_key/],
    [
      {
        destination: {
          ...sftp,
          secrets: {
            private_key: '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----',
          },
        },
      },
      /^destination: private_key cannot be read/,
    ],
    [{ destination: { ...sftp, secrets: { token: password } } }, /takes password, private_key, passphrase/],
  ])('that cannot work is rejected with what to fix: %j', async (wanted, detail) => {
    const { status, json } = await api.post('/api/drops', { name: 'desk', ...wanted });
    expect([status, json.detail]).toEqual([
      400,
      typeof detail === 'string' ? detail : expect.stringMatching(detail),
    ]);
    expect(JSON.stringify(json)).not.toContain(password);
  });
});

describe('a change', () => {
  test('of settings leaves what it does not name, among the keywords too', async () => {
    const { id, settings } = await api.make();
    const change = {
      keywords: { prefix: 'x:', min_confidence: { faces: 0.9 } },
      other_files: 'deliver',
      model_id: 101,
    };
    const { status, json } = await api.patch(`/api/drops/${id}`, { name: 'night', settings: change });
    expect(status).toBe(200);
    expect(json).toMatchObject({ name: 'night', destination: { kind: 'folder' } });
    expect(json.settings).toEqual({
      ...settings,
      other_files: 'deliver',
      model_id: '101',
      keywords: {
        ...settings.keywords,
        prefix: 'x:',
        min_confidence: { ...settings.keywords.min_confidence, faces: 0.9 },
      },
    });
  });

  test('of the languages of text takes them as requests do, in large letters and twice', async () => {
    const { id } = await api.make({ settings: { text_languages: ['FR'] } });
    expect((await api.get(`/api/drops/${id}`)).json.settings.text_languages).toEqual(['fr']);
    const change = { settings: { text_languages: [' DE', 'fr', 'De'] } };
    const { json } = await api.patch(`/api/drops/${id}`, change);
    expect(json.settings.text_languages).toEqual(['de', 'fr']);
  });

  test('of settings by two at once loses neither', async () => {
    const { id } = await api.make();
    const days = { settings: { keep_done_days: 1 } };
    const answers = await Promise.all([
      api.patch(`/api/drops/${id}`, days),
      api.patch(`/api/drops/${id}`, { settings: { keep_failed_days: 2 } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { settings } = (await api.get(`/api/drops/${id}`)).json;
    expect(settings).toMatchObject({ keep_done_days: 1, keep_failed_days: 2 });
  });

  test('of a destination keeps its secrets for the same host and no other, and shows none', async () => {
    const made = await api.make({ destination: { ...sftp, secrets: { password } } });
    expect(made.destination).toEqual({ ...sftp, secrets: ['password'] });
    const path = `/api/drops/${made.id}`;
    const moved = await api.patch(path, { destination: { ...sftp, folder: 'in', if_exists: 'fail' } });
    expect(moved.json.destination).toEqual({
      ...sftp,
      folder: 'in',
      if_exists: 'fail',
      secrets: ['password'],
    });
    const elsewhere = await api.patch(path, { destination: { ...sftp, host: '127.0.0.2' } });
    expect([elsewhere.status, elsewhere.json.detail]).toEqual([
      400,
      expect.stringMatching(/needs the secret/),
    ]);
    expect((await api.patch(path, { destination: null })).json.destination).toBeNull();
    const said = [made, moved.json, elsewhere.json, (await api.get(path)).json, service.logLines];
    expect(JSON.stringify(said)).not.toContain(password);
  });
});

describe('the key of a drop', () => {
  test('opens the drop and nothing else, and says so', async () => {
    const { key, key_id, ftp } = await api.make();
    const refused = await callApi(service, '/api/account', { key });
    expect([refused.status, refused.json.code]).toEqual([401, 'invalid_api_key']);
    expect(refused.json.detail).toMatch(/key of a drop/);
    expect((await callV1(service, '/predict/image', { key })).json.error.code).toBe('invalid_api_key');
    expect(await logIn(ftp.user_name, key)).not.toBeNull();
    expect(await logIn(ftp.user_name, service.key)).toBeNull();
    const listed = (await api.get('/api/keys')).json.data;
    expect(listed.find((each: { id: number }) => each.id === key_id)).toMatchObject({
      scope: 'drop',
      name: `drop ${ftp.user_name}`,
    });
  });

  test('is renewed: the old one is refused, and the drop stays what it was', async () => {
    const { id, key, ftp } = await api.make();
    const session = await logIn(ftp.user_name, key);
    expect(await session?.isOpen()).toBe(true);
    const { status, json } = await api.post(`/api/drops/${id}/key`);
    expect(await session?.isOpen()).toBe(false);
    expect([status, json.id, json.key === key]).toEqual([200, id, false]);
    expect(await logIn(ftp.user_name, key)).toBeNull();
    expect(await logIn(ftp.user_name, json.key)).toMatchObject({ dropId: id });
    expect(service.logLines.join('')).not.toContain(json.key);
  });

  test('stays as it is but can be revoked, which the drop then feels', async () => {
    const { key, key_id, ftp } = await api.make();
    const changed = await api.patch(`/api/keys/${key_id}`, { name: 'mine', call_limit: 5 });
    expect([changed.status, changed.json.detail]).toEqual([409, expect.stringMatching(/key of a drop/)]);
    const session = await logIn(ftp.user_name, key);
    expect(await session?.isOpen()).toBe(true);
    expect((await api.remove(`/api/keys/${key_id}`)).status).toBe(204);
    expect(await session?.isOpen()).toBe(false);
    expect(await logIn(ftp.user_name, key)).toBeNull();
  });

  test("is no way in that would let the account's last good key go", async () => {
    const other = await service.makeKey('with one key');
    const own = dropCalls(service, other.key);
    await own.make();
    expect((await own.remove(`/api/keys/${other.keyId}`)).status).toBe(409);
  });

  test('is made by no key with a limit of calls: it would lift its own', async () => {
    const { key } = (await api.post('/api/keys', { name: 'few', call_limit: 3 })).json;
    const few = dropCalls(service, key);
    expect((await few.post('/api/drops', { name: 'desk' })).status).toBe(403);
  });
});

describe('the test of a destination', () => {
  test('writes there and answers where', async () => {
    const { id } = await api.make();
    const { status, json } = await api.post(`/api/drops/${id}/destination/test`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      ok: true,
      problem: null,
      where: expect.stringContaining(service.dropTarget),
    });
  });

  test('answers why it does not work, without a secret', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const { id } = await api.make({ destination: { ...sftp, port, secrets: { password } } });
    const { status, json } = await api.post(`/api/drops/${id}/destination/test`);
    expect([status, json.ok, json.problem]).toEqual([200, false, 'unreachable']);
    expect(json.message.length).toBeGreaterThan(10);
    expect(JSON.stringify([json, service.logLines])).not.toContain(password);
  });

  test('of a drop without one is refused', async () => {
    const { id } = await api.make({ destination: null });
    expect((await api.post(`/api/drops/${id}/destination/test`)).status).toBe(409);
  });
});

test('a deleted drop is gone with its key', async () => {
  const { id, key, ftp } = await api.make();
  const session = await logIn(ftp.user_name, key);
  expect((await api.remove(`/api/drops/${id}`)).json).toEqual({ files: 0, folders: 0, file_bytes: 0 });
  expect((await api.get(`/api/drops/${id}`)).status).toBe(404);
  expect(await session?.isOpen()).toBe(false);
  expect(await logIn(ftp.user_name, key)).toBeNull();
});
