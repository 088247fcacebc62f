import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ServiceError } from '../core/service-error.js';
import { createImageFetcher, type FetcherOptions } from './fetch-image.js';
import { openSpool, type Spool } from './spool.js';

let dir: string;
let spool: Spool;
let remote: Server;
let port: number;
let answer: RequestListener;
const seen: IncomingMessage[] = [];
const image = Buffer.alloc(300_000, 0xff);

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-fetch-'));
  spool = await openSpool({ dir, maxBytes: 64 * 1024 * 1024 });
  remote = createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => remote.once('listening', resolve));
  port = (remote.address() as AddressInfo).port;
});
afterEach(async () => {
  seen.length = 0;
  // A fetch that ran out of time answers at once and cleans up behind itself.
  await expect.poll(() => readdir(dir)).toEqual([]);
  expect(spool.bytesInUse).toBe(0);
});
afterAll(async () => {
  remote.closeAllConnections();
  remote.close();
  await rm(dir, { recursive: true });
});

const never = new AbortController().signal;
function fetcher(options: Partial<FetcherOptions> = {}) {
  return createImageFetcher({
    spool,
    maxImageBytes: 1_000_000,
    fetchTimeoutMs: 2000,
    fetchAllowedNetworks: '127.0.0.1/32',
    ...options,
  });
}
async function refusal(address: string, options: Partial<FetcherOptions> = {}): Promise<[string, string]> {
  try {
    const held = await fetcher(options)(address, never);
    await held.dispose();
    return ['fetched', ''];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [error.code, error.message];
  }
}
const here = (path = '/a.jpg') => `http://127.0.0.1:${port}${path}`;

describe('an image is fetched', () => {
  test('whole, small ones in memory and large ones in a file that is then deleted', async () => {
    answer = (_request, response) => response.end(image.subarray(0, 1000));
    const small = await fetcher()(here(), never);
    expect(small.source).toMatchObject({ kind: 'bytes' });
    answer = (_request, response) => response.end(image);
    const large = await fetcher()(here(), never);
    expect([large.source.kind, large.size]).toEqual(['file', 300_000]);
    await large.dispose();
  });

  test('with a name of its own, no cookie and no wish for compression', async () => {
    answer = (_request, response) => response.setHeader('set-cookie', 'a=b').end('x');
    const fetch = fetcher();
    await (await fetch(here('/a b?q=1#part'), never)).dispose();
    await (await fetch(here(), never)).dispose();
    expect(seen[0]?.url).toBe('/a%20b?q=1');
    expect(seen[0]?.headers).toMatchObject({ 'accept-encoding': 'identity', host: `127.0.0.1:${port}` });
    expect(seen[0]?.headers['user-agent']).toMatch(/^Lynceus/);
    expect(seen[0]?.headers['accept']).toMatch(/^image/);
    expect(seen[1]?.headers['cookie']).toBeUndefined();
  });

  test('past the proxy of the environment', async () => {
    answer = (_request, response) => response.end('x');
    process.env['HTTP_PROXY'] = 'http://127.0.0.1:9';
    process.env['http_proxy'] = 'http://127.0.0.1:9';
    try {
      expect(await refusal(here())).toEqual(['fetched', '']);
    } finally {
      delete process.env['HTTP_PROXY'];
      delete process.env['http_proxy'];
    }
  });

  test.each([301, 302, 303, 307, 308])('through a redirect of code %i', async (code) => {
    answer = (request, response) =>
      request.url === '/end' ? response.end('x') : response.writeHead(code, { location: '/end' }).end();
    expect(await refusal(here())).toEqual(['fetched', '']);
  });

  test('by a name, connecting to the address that was checked', async () => {
    answer = (_request, response) => response.end('x');
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return asked === 1 ? ['127.0.0.1'] : ['10.0.0.1'];
    };
    expect(await refusal(`http://pictures.example:${port}/`, { resolve })).toEqual(['fetched', '']);
    expect(asked).toBe(1);
    expect(seen[0]?.headers.host).toBe(`pictures.example:${port}`);
  });
});

test.each([
  ['gzip', gzipSync],
  ['X-GZip', gzipSync],
  ['deflate', deflateSync],
  // Some servers send deflate data without zlib's header.
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['identity', (bytes: Buffer) => bytes],
  ['aws-chunked', (bytes: Buffer) => bytes],
  ['UTF-8', (bytes: Buffer) => bytes],
])('an image is fetched that a server sends as %s without being asked', async (encoding, encode) => {
  answer = (_request, response) => response.setHeader('content-encoding', encoding).end(encode(image));
  const held = await fetcher()(here(), never);
  const bytes = await readFile(held.source.kind === 'file' ? held.source.path : '');
  expect(bytes.equals(image)).toBe(true);
  await held.dispose();
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['identity', (bytes: Buffer) => bytes],
])('an image that is cut short is refused as such (%s)', async (encoding, encode) => {
  const whole = encode(image);
  for (const bytes of [1, 2, 12, whole.length >> 1, whole.length - 1]) {
    answer = (request, response) => {
      response.setHeader('content-encoding', encoding);
      // Only a compressed answer may end in between as if it were whole.
      if (encoding !== 'identity') return void response.end(whole.subarray(0, bytes));
      response.setHeader('content-length', whole.length);
      response.write(whole.subarray(0, bytes), () => request.socket.destroy());
    };
    expect(await refusal(here())).toEqual([
      'address_not_reachable',
      expect.stringContaining('ended before it was whole'),
    ]);
  }
});

describe('a forbidden address is refused without a connection', () => {
  const closed = { fetchAllowedNetworks: '' };
  test.each([
    'http://127.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0x7f.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://017700000001:PORT/',
    'http://127.1:PORT/',
    'http://127.0.1:PORT/',
    'http://0:PORT/',
    'http://0.0.0.0:PORT/',
    'http://[::1]:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://[64:ff9b::127.0.0.1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
    'http://localhost:PORT/',
    'http://localhost.:PORT/',
    'http://LOCALHOST:PORT/',
    'http://a.localhost:PORT/',
    'http://127.0.0.1.:PORT/',
    'http://①②⑦.⓪.⓪.①:PORT/',
    'http://example.org@127.0.0.1:PORT/',
    'http://127.0.0.1:PORT@127.0.0.1:PORT/',
    'http://user:pass@8.8.8.8/',
    'http://8.8.8.8:22/',
    'http://8.8.8.8:25/',
    'https://8.8.8.8:6/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://172.16.0.1/',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'http:\\\\127.0.0.1:PORT\\',
    'http:127.0.0.1:PORT',
    ' http://127.0.0.1:PORT/ ',
    'http://127。0。0。1:PORT/',
  ])('%s', async (address) => {
    answer = (_request, response) => response.end('secret');
    const [code, message] = await refusal(address.replaceAll('PORT', String(port)), closed);
    expect(code).toBe('address_not_allowed');
    expect(message).not.toMatch(/127|::1|secret/);
    expect(seen).toHaveLength(0);
  });

  test.each([
    '',
    'cats',
    '//example.org/',
    '/etc/passwd',
    'file:///etc/passwd',
    'ftp://example.org/a',
    'gopher://127.0.0.1/',
    'data:image/png;base64,AAAA',
    'javascript:1',
    'http://',
    'http://a b/',
    'http://[fe80::1%25eth0]/',
    'http://1.2.3.4.5.6/',
    'http://256.256.256.256/',
    'blob:http://example.org/1',
  ])('%j is no http(s) address', async (address) => {
    expect((await refusal(address))[0]).toBe('wrong_parameters');
  });

  test('a name of which any address is private', async () => {
    const refused = await refusal('http://mixed.example/', {
      resolve: async () => ['93.184.216.34', '10.0.0.7'],
    });
    expect(refused[0]).toBe('address_not_allowed');
    expect(refused[1]).not.toContain('10.0.0.7');
  });

  test.each([301, 302, 303, 307, 308])('a redirect of code %i to a private place', async (code) => {
    answer = (_request, response) => response.writeHead(code, { location: 'http://127.0.0.2:1025/' }).end();
    expect((await refusal(here()))[0]).toBe('address_not_allowed');
  });

  test.each([
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    '//10.0.0.1/',
    'http://user@127.0.0.1/',
    'http://[::1]/',
    'http://localhost:23/',
    'http://169.254.169.254/',
  ])('a redirect to %s', async (location) => {
    answer = (_request, response) => response.writeHead(302, { location }).end();
    expect((await refusal(here()))[0]).toBe('address_not_allowed');
  });

  test('a name that is checked again after a redirect', async () => {
    answer = (_request, response) =>
      response.writeHead(302, { location: `http://moving.example:${port}/2` }).end();
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [asked === 1 ? '127.0.0.1' : '192.168.0.9'];
    };
    expect((await refusal(`http://moving.example:${port}/1`, { resolve }))[0]).toBe('address_not_allowed');
    expect(seen).toHaveLength(1);
  });
});

describe('a remote server that does not deliver', () => {
  const slow = { fetchTimeoutMs: 300 };
  const cases: readonly [string, RequestListener, string][] = [
    ['answers 404', (_r, response) => response.writeHead(404).end('body'), 'address_not_reachable'],
    ['answers 500', (_r, response) => response.writeHead(500).end(), 'address_not_reachable'],
    ['answers 204', (_r, response) => response.writeHead(204).end(), 'address_not_reachable'],
    [
      'answers a redirect without a place',
      (_r, response) => response.writeHead(302).end(),
      'address_not_reachable',
    ],
    [
      'redirects to nonsense',
      (_r, response) => response.writeHead(302, { location: 'http://[' }).end(),
      'address_not_reachable',
    ],
    [
      'redirects for ever',
      (_r, response) => response.writeHead(302, { location: '/' }).end(),
      'address_not_reachable',
    ],
    ['never answers', () => undefined, 'address_not_reachable'],
    [
      'stops in the middle',
      (_r, response) => void response.writeHead(200, { 'content-length': '400000' }).write(image),
      'address_not_reachable',
    ],
    ['drips', (_r, response) => drip(response), 'address_not_reachable'],
    ['hangs up', (request) => request.socket.destroy(), 'address_not_reachable'],
    [
      'hangs up in the middle',
      (request, response) => {
        response.writeHead(200, { 'content-length': '400000' });
        response.write(image, () => request.socket.destroy());
      },
      'address_not_reachable',
    ],
    ['sends what is no HTTP', (request) => request.socket.end('SSH-2.0-x\r\n'), 'address_not_reachable'],
    [
      'compresses twice',
      (_r, response) => response.setHeader('content-encoding', 'gzip, br').end(gzipSync(image)),
      'address_not_reachable',
    ],
    [
      'says that it compresses, and does not',
      (_r, response) => response.setHeader('content-encoding', 'gzip').end(image),
      'address_not_reachable',
    ],
    [
      'compresses more than is accepted',
      (_r, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(2 ** 23))),
      'file_too_large',
    ],
    [
      'says it is too large',
      (_r, response) => void response.writeHead(200, { 'content-length': '5000000' }).write('x'),
      'file_too_large',
    ],
    ['never ends', (_r, response) => flood(response), 'file_too_large'],
  ];
  test.each(cases)('one that %s', async (_name, listener, code) => {
    answer = listener;
    const [refused, message] = await refusal(here(), code === 'file_too_large' ? {} : slow);
    expect(refused).toBe(code);
    if (_name.startsWith('says that it compresses'))
      expect(message).toContain('compression of its answer is broken');
    expect(message).not.toContain('127.0.0.1');
    remote.closeAllConnections();
  });

  test('three redirects are followed and a fourth is not', async () => {
    const chain =
      (hops: number): RequestListener =>
      (request, response) => {
        const hop = Number(request.url?.slice(1));
        if (hop >= hops) response.end('x');
        else response.writeHead(302, { location: `/${hop + 1}` }).end();
      };
    answer = chain(3);
    expect((await refusal(here('/0')))[0]).toBe('fetched');
    answer = chain(4);
    expect((await refusal(here('/0')))[0]).toBe('address_not_reachable');
  });

  test('a name that has no address, or a name server that does not answer', async () => {
    expect((await refusal('http://none.example/', { resolve: async () => [] }))[0]).toBe(
      'address_not_reachable',
    );
    const silent = { resolve: () => new Promise<string[]>(() => undefined), ...slow };
    expect((await refusal('http://silent.example/', silent))[0]).toBe('address_not_reachable');
  });

  test('a caller that leaves ends the fetch with its own reason', async () => {
    answer = (_request, response) => drip(response);
    const gone = new AbortController();
    const fetching = fetcher()(here(), gone.signal);
    setTimeout(() => gone.abort(new ServiceError('bad_request', 'gone')), 50);
    await expect(fetching).rejects.toThrow('gone');
    remote.closeAllConnections();
  });
});

function drip(response: Parameters<RequestListener>[1]): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write('x'), 20);
  response.on('close', () => clearInterval(timer));
}

function flood(response: Parameters<RequestListener>[1]): void {
  response.writeHead(200);
  const more = () => {
    while (!response.destroyed && response.write(image));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}
