import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { besidePage, pagePaths, serveConsole } from './serve-console.js';

const html = '<!doctype html><base href="/" /><meta name="csp-nonce" content="" /><p>the page</p>';
const script = 'console.log("page");'.repeat(100);

let dir: string;
let app: FastifyInstance;
let url: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-page-'));
  await mkdir(join(dir, 'page', 'assets'), { recursive: true });
  await writeFile(join(dir, 'page', 'index.html'), html);
  await writeFile(join(dir, 'page', 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(dir, 'page', 'assets', 'index-1a2b.js'), script);
  await writeFile(join(dir, 'page', 'assets', 'index-1a2b.js.gz'), gzipSync(script));
  await writeFile(join(dir, 'page', 'assets', '.hidden'), 'not for anybody');
  await writeFile(join(dir, 'secret.txt'), 'not for anybody');
  // As the service has it.
  app = Fastify({ trustProxy: true, exposeHeadRoutes: false });
  await app.register(
    async (prefixed) => serveConsole(prefixed, { dir: join(dir, 'page'), pathPrefix: '/vision' }),
    { prefix: '/vision' },
  );
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app.close();
  await rm(dir, { recursive: true, force: true });
});

const get = async (path: string, headers: Record<string, string> = {}) => {
  const { statusCode, headers: answered, body } = await request(url + path, { headers });
  return { statusCode, headers: answered, bytes: Buffer.from(await body.arrayBuffer()) };
};

describe('the page of the web account', () => {
  test.each(['/vision/', ...pagePaths.map((path) => `/vision/${path}`), '/vision/faces/1001/people/7'])(
    'is answered at %s, with its path prefix',
    async (path) => {
      const { statusCode, headers, bytes } = await get(path);
      expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(bytes.toString()).toContain('<base href="/vision/" />');
    },
  );

  test('lets a browser do nothing but what it needs: no frame, no foreign address, no script inside', async () => {
    const { headers } = await get('/vision/');
    const policy = String(headers['content-security-policy']);
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'self'",
        "form-action 'self'",
      ]),
    );
    expect(policy).not.toMatch(/unsafe-|https?:|\*/);
    expect(headers).toMatchObject({
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test('carries a new nonce each time, the one of its policy', async () => {
    const nonces = await Promise.all(
      [1, 2, 3].map(async () => {
        const { headers, bytes } = await get('/vision/keys');
        const nonce = /csp-nonce" content="([\w-]{22})"/.exec(bytes.toString())?.[1] ?? 'none';
        expect(headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(3);
  });

  test('has files beside it that are kept for good by name, compressed before', async () => {
    const { headers, bytes } = await get('/vision/assets/index-1a2b.js', { 'accept-encoding': 'gzip' });
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(bytes).toEqual(gzipSync(script));
    expect((await get('/vision/icon.svg')).headers['cache-control']).toBe('no-cache');
  });

  test('answers HEAD as GET, without the bytes', async () => {
    for (const path of ['/vision/', '/vision/icon.svg', '/vision/assets/index-1a2b.js']) {
      const answer = await request(url + path, { method: 'HEAD' });
      expect([path, answer.statusCode, await answer.body.text()]).toEqual([path, 200, '']);
      expect(Number(answer.headers['content-length'])).toBeGreaterThan(10);
    }
  });

  test.each(['index-1a2b.js.gz', '.hidden', '/index-1a2b.js', 'nothing.js', 'sub/index.js', ''])(
    'has nothing at /assets/%s',
    async (name) => {
      expect((await get(`/vision/assets/${name}`)).statusCode).toBe(404);
    },
  );

  test.each(['/vision/../secret.txt', '/vision/%2e%2e/secret.txt', '/vision/assets/..%2f..%2fsecret.txt'])(
    'leads to no other file: %s',
    async (path) => {
      const { bytes } = await get(path);
      expect(bytes.toString()).not.toContain('not for anybody');
    },
  );

  test('is not served where it was not built', async () => {
    const bare = Fastify();
    await serveConsole(bare, { dir: join(dir, 'nowhere'), pathPrefix: '' });
    expect((await bare.inject('/')).statusCode).toBe(404);
    await bare.close();
  });
});

test('the files beside the page are those that the page brings', async () => {
  const brought = await readdir(new URL('../../../../console/public/', import.meta.url));
  expect(new Set<string>(besidePage)).toEqual(new Set(brought));
});

test('every address that the page knows is answered with it', async () => {
  const source = new URL('../../../../console/src/', import.meta.url);
  const files = (await readdir(source, { recursive: true })).filter((name) => /routes\.tsx?$/.test(name));
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, source), 'utf8')));
  const paths = texts.flatMap((text) => [...text.matchAll(/path: '\/([\w-]+)/g)].map(([, path]) => path));
  expect(new Set(paths)).toEqual(new Set(pagePaths));
});
