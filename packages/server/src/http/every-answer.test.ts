import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readAllRows } from '../storage/fixtures/all-rows.js';
import { followEvents } from './api/fixtures/follow-events.js';
import { fillAccount, type Ids } from './fixtures/account-facts.js';
import { type Browser, enterAs, enterAsAdministrator } from './fixtures/browser.js';
import { createSecrets, type Secrets } from './fixtures/create-secrets.js';
import { pathsToRead } from './fixtures/paths-to-read.js';
import { isBehindNginx, startTestService, type TestService } from './fixtures/test-service.js';

interface Answer {
  readonly who: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

let dir: string;
let service: TestService;
let owner: Browser;
let ids: Ids;
let secrets: Secrets;
/** Everything that can be read, by everybody who may read it. */
const answers: Answer[] = [];
let before: string;
let after: string;
let followed = '';

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-answers-'));
  await mkdir(join(dir, 'assets'));
  await writeFile(join(dir, 'index.html'), '<base href="/" /><meta name="csp-nonce" content="" />');
  await writeFile(join(dir, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(dir, 'assets', 'index-1a2b.js'), '1');
  service = await startTestService({ consoleDir: dir, keepImages: true });
  const administrator = await enterAsAdministrator(service);
  owner = await enterAs(service, service.accountId, 'owner', 'owner@example.com');
  const following = await followEvents(service, '/api/events', { cookie: owner.jar.cookie });
  ids = await fillAccount(service, service.key, 0);
  const found = await createSecrets(service, { owner, administrator, ids });
  secrets = found.secrets;
  answers.push({ who: 'refusals', path: '', status: 400, headers: {}, text: found.refusals });
  before = await readAllRows(service.database);
  const credentials = {
    owner: { cookie: owner.jar.cookie },
    administrator: { cookie: administrator.jar.cookie },
    key: { 'x-api-key': service.key },
    nobody: {},
  };
  for (const path of pathsToRead(service.routes, ids)) {
    const isForAll = !path.startsWith('/api/');
    for (const [who, headers] of Object.entries(credentials)) {
      if (!isForAll || who === 'nobody') answers.push(await read(who, path, headers));
    }
  }
  after = await readAllRows(service.database);
  // Changes are looked for every second, and all that was read above may have taken less.
  const kinds = ['event: drop_file', 'event: job'];
  await vi.waitUntil(() => kinds.every((kind) => following.text.includes(kind)), { timeout: 20_000 });
  followed = following.text;
  following.leave();
});
afterAll(async () => {
  await service.stop();
  await rm(dir, { recursive: true, force: true });
});

async function read(who: string, path: string, headers: Record<string, string>): Promise<Answer> {
  const answer = await request(`${service.base}${path}`, { headers });
  const text = Buffer.from(await answer.body.arrayBuffer()).toString('latin1');
  return { who, path, status: answer.statusCode, headers: answer.headers, text };
}

describe('everything that can be read of a full account', () => {
  test('is what is tested here', () => {
    const read = answers.filter(({ who, status }) => who === 'owner' && status === 200);
    expect(read.length).toBeGreaterThan(45);
    // The file of the drop is no image, and the version has no report that we wrote.
    const expected = /^\/api\/(drops\/.*\/content\?width=64|models\/.*\/report\.html)$/;
    const refused = answers.filter(
      ({ who, path, status }) =>
        who === 'administrator' && path.startsWith('/api/') && status !== 200 && !expected.test(path),
    );
    expect(refused.map(({ path, status, text }) => [path, status, text])).toEqual([]);
  });

  test('has no secret after its first showing, in no body and no header', () => {
    expect(Object.keys(secrets).length).toBeGreaterThan(30);
    const found = answers.flatMap(({ who, path, headers, text }) =>
      Object.entries(secrets)
        .filter(([, secret]) => `${text}${JSON.stringify(headers)}`.includes(secret))
        .map(([what]) => `${what}, to ${who} at ${path}`),
    );
    expect(found).toEqual([]);
  });

  test('leaves no secret in the log, nor in the database as it is', () => {
    expect(service.logLines.length).toBeGreaterThan(200);
    for (const [what, secret] of Object.entries(secrets)) {
      expect([what, service.logLines.join('').includes(secret)]).toEqual([what, false]);
      expect([what, after.includes(secret)]).toEqual([what, false]);
    }
  });

  test('has no secret for a client that followed the account meanwhile', () => {
    expect(followed).toContain('event: drop_file');
    expect(followed).toContain('event: job');
    const found = Object.entries(secrets).filter(([, secret]) => followed.includes(secret));
    expect(found).toEqual([]);
  });

  test('is as it was after all of it was read', () => {
    // Leases are renewed by the clock, whatever is read.
    const withoutLeases = (rows: string) => rows.replace(/"leased_until":\d+/g, '"leased_until":0');
    expect(withoutLeases(after)).toBe(withoutLeases(before));
  });
});

describe('every answer', () => {
  const common = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
    'referrer-policy': expect.stringMatching(/^(no-referrer|same-origin)$/),
    'cache-control': 'no-store',
  };
  /** What is the same for everybody, and small images, which change with their address and differ by credential. */
  const mayBeKept = /^\/(docs|assets|icon\.svg|face-images)|image\?width/;

  test('says what it is, shows in no frame, sends its address nowhere, and is kept by nobody', () => {
    for (const { who, path, headers } of answers.filter(({ path: asked }) => asked !== '')) {
      const { 'cache-control': cache, ...always } = common;
      const wanted = mayBeKept.test(path) ? always : { ...always, 'cache-control': cache };
      expect({ who, path, ...headers }).toMatchObject({ who, path, ...wanted });
    }
  });

  test.each([
    ['a prediction without a key', 'GET', '/predict/image', {}],
    ['a prediction', 'PUT', '/predict', { 'x-api-key': '?' }],
    ['a path that there is not', 'GET', '/nowhere', {}],
    ['a path of the API that there is not', 'GET', '/api/nowhere', {}],
    ['a method that there is not', 'PUT', '/api/keys', {}],
    ...(isBehindNginx ? [] : [['a path that is no text', 'GET', '/api/%zz', {}] as const]),
    ['a path too long', 'GET', `/api/files/${'a'.repeat(600)}`, {}],
    ['a question beforehand', 'OPTIONS', '/predict', { origin: 'https://far.example' }],
    ['a body that is no JSON', 'POST', '/api/session', { 'content-type': 'text/plain' }],
    ['health', 'GET', '/livez', {}],
  ] as const)('%s too', async (_name, method, path, headers) => {
    const key = 'x-api-key' in headers ? { 'x-api-key': service.key } : headers;
    const answer = await request(`${service.base}${path}`, { method, headers: key });
    await answer.body.dump();
    expect(answer.headers).toMatchObject(common);
  });

  test.skipIf(isBehindNginx)('what is no HTTP too', async () => {
    const answer = (await service.sendRaw('GET / and more HTTP/1.1\r\n\r\n')).toLowerCase();
    expect(answer).toContain('400 bad request');
    for (const name of Object.keys(common)) expect(answer).toContain(`\r\n${name}: `);
  });

  test('to who opens an address where nothing is, is the page, which says so; to programs it stays an error', async () => {
    const visit = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const page = await read('nobody', '/nonsense', visit);
    expect([page.status, page.headers['content-type'], page.text]).toEqual([
      ...[404, 'text/html; charset=utf-8', expect.stringContaining('csp-nonce')],
    ]);
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    const found = [await read('nobody', '/nonsense', {}), await read('nobody', '/predict/image', visit)];
    expect(found.map(({ status, text }) => [status, text.slice(0, 1)])).toEqual([
      [404, '{'],
      [401, '{'],
    ]);
  });

  test('of bytes is of a kind that no browser runs, as a file to keep, and bound to be inert', () => {
    const inert =
      /^(image\/(jpeg|png|webp|gif|tiff|avif|heic|bmp)|video\/mp4|text\/csv; charset=utf-8|application\/(zip|x-tar|octet-stream|jsonl|x-ndjson)(; charset=utf-8)?)$/;
    const bytes = answers.filter(
      ({ path, status, headers }) =>
        status === 200 &&
        /^\/(api|face-images)\//.test(path) &&
        !/^(application\/json|text\/event-stream)/.test(String(headers['content-type'])),
    );
    expect(bytes.length).toBeGreaterThan(20);
    for (const { path, headers } of bytes) {
      expect([path, headers['content-type']]).toEqual([path, expect.stringMatching(inert)]);
      expect([path, headers['content-security-policy']]).toEqual([path, expect.stringMatching(/; sandbox$/)]);
      if (path.startsWith('/face-images/')) continue;
      const shown = path.includes('?width=') ? /^inline$/ : /^attachment; filename/;
      expect([path, headers['content-disposition']]).toEqual([path, expect.stringMatching(shown)]);
      expect([path, headers['cross-origin-resource-policy']]).toEqual([path, 'same-origin']);
    }
  });
});
