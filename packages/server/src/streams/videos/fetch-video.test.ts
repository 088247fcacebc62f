import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createStreamHosts } from '../sources/stream-hosts.js';
import { type FetchVideoOptions, fetchVideo } from './fetch-video.js';
import { parseVideoAddress } from './video-address.js';

const film = Buffer.alloc(300_000, 'a film ');
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(handle);
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

async function fetchAll(address: string, options: Partial<FetchVideoOptions> = {}) {
  const lengths: (number | null)[] = [];
  const pieces: Buffer[] = [];
  const content = fetchVideo(parseVideoAddress(address), {
    reach: createStreamHosts({ streamAllowedNetworks: '127.0.0.0/8', openSignUp: false }, async () => [
      '127.0.0.1',
    ]),
    maxBytes: 1_000_000,
    onLength: (bytes) => lengths.push(bytes),
    signal: new AbortController().signal,
    silenceMs: 3000,
    ...options,
  });
  for await (const piece of content) pieces.push(piece);
  return { bytes: Buffer.concat(pieces), lengths };
}

test('the bytes come as they are, with the length that the server declares', async () => {
  const port = await serve((_request, response) => {
    response.setHeader('content-length', film.length).end(film);
  });
  const { bytes, lengths } = await fetchAll(`http://127.0.0.1:${port}/a.mp4?b=c#d`);
  expect([bytes.equals(film), lengths]).toEqual([true, [film.length]]);
});

test('redirects are followed, and user and password go to no other server', async () => {
  const authorizations: unknown[] = [];
  const other = await serve((request, response) => {
    authorizations.push(request.headers.authorization);
    response.end(film);
  });
  const port = await serve((request, response) => {
    if (request.headers.authorization === undefined) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="films"' }).end();
      return;
    }
    authorizations.push(request.headers.authorization);
    response.writeHead(302, { location: `http://films.example:${other}/b.mp4` }).end();
  });
  const { bytes } = await fetchAll(`http://ada:p%40ss@127.0.0.1:${port}/a.mp4`);
  expect(bytes.equals(film)).toBe(true);
  expect(authorizations).toEqual([`Basic ${Buffer.from('ada:p@ss').toString('base64')}`, undefined]);
});

test('a server that asks for a digest gets it, and a wrong password is said', async () => {
  const port = await serve((request, response) => {
    const { authorization = '' } = request.headers;
    const [, given] = /response="(\w+)"/.exec(authorization) ?? [];
    const md5 = (text: string) => createHash('md5').update(text).digest('hex');
    const wanted = md5(`${md5('ada:films:right')}:n0:${md5('GET:/a.mp4')}`);
    if (given === wanted) response.end(film);
    else response.writeHead(401, { 'www-authenticate': 'Digest realm="films", nonce="n0"' }).end();
  });
  expect((await fetchAll(`http://ada:right@127.0.0.1:${port}/a.mp4`)).bytes).toHaveLength(film.length);
  await expect(fetchAll(`http://ada:wrong@127.0.0.1:${port}/a.mp4`)).rejects.toMatchObject({
    code: 'address_not_allowed',
    message: expect.stringMatching(/check user name and password$/),
  });
});

test.each([
  ['http://169.254.169.254/latest', /address of 169.254.169.254 is not allowed/],
  ['http://films.example:22/a.mp4', /port 22 is not allowed/],
  ['ftp://films.example/a.mp4', /another protocol/],
  ['file:///etc/passwd', /another protocol/],
])('a redirect to %s is refused', async (location, words) => {
  const port = await serve((_request, response) => {
    response.writeHead(302, { location }).end();
  });
  const reach = createStreamHosts({ streamAllowedNetworks: '127.0.0.0/8', openSignUp: false }, async () => [
    '127.0.0.1',
  ]);
  await expect(fetchAll(`http://127.0.0.1:${port}/`, { reach })).rejects.toMatchObject({
    code: 'address_not_allowed',
    message: expect.stringMatching(words),
  });
});

test('this machine is refused unless its network is listed, whatever its name', async () => {
  const port = await serve((_request, response) => {
    response.end(film);
  });
  const reach = createStreamHosts({ streamAllowedNetworks: '', openSignUp: false }, async () => [
    '127.0.0.1',
  ]);
  for (const host of ['127.0.0.1', 'films.example', 'localhost'])
    await expect(fetchAll(`http://${host}:${port}/`, { reach })).rejects.toMatchObject({
      code: 'address_not_allowed',
    });
});

test.each([
  ['a length above the limit', { 'content-length': '2000000' }, 'file_too_large'],
  ['more bytes than the limit', {}, 'file_too_large'],
  ['what was not asked for', { 'content-encoding': 'gzip' }, 'address_not_reachable'],
])('%s is refused', async (_name, headers, code) => {
  const port = await serve((_request, response) => {
    response.writeHead(200, headers);
    response.write(Buffer.alloc(1_500_000));
  });
  await expect(fetchAll(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code });
});

test('redirects without end, other answers and silence are errors of the server', async () => {
  let answer = (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(302, { location: '/again' }).end();
  };
  const port = await serve((request, response) => answer(request, response));
  const address = `http://127.0.0.1:${port}/`;
  await expect(fetchAll(address)).rejects.toThrow(/redirects more than 5 times/);
  answer = (_request, response) => response.writeHead(500).end();
  await expect(fetchAll(address)).rejects.toThrow(/HTTP status 500/);
  answer = (_request, response) => response.writeHead(404).end();
  await expect(fetchAll(address)).rejects.toMatchObject({ code: 'not_found' });
  answer = () => undefined;
  await expect(fetchAll(address, { silenceMs: 100 })).rejects.toMatchObject({
    code: 'address_not_reachable',
  });
  answer = (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('half');
    response.destroy();
  };
  await expect(fetchAll(address)).rejects.toMatchObject({ code: 'address_not_reachable' });
});

test('whoever gives up learns why, and holds no connection', async () => {
  const port = await serve((_request, response) => {
    response.write(film);
  });
  const stop = new AbortController();
  const fetching = fetchAll(`http://127.0.0.1:${port}/`, {
    signal: stop.signal,
    onLength: () => stop.abort(new Error('enough')),
  });
  await expect(fetching).rejects.toThrow('enough');
});

test.each([
  'http://viewer:p@ss#w0rd@films.example/a.mp4',
  'http://viewer:12/34@films.example/a.mp4',
  'films.example/a.mp4',
  'rtsp://films.example/',
  'file:///etc/passwd',
  '',
  `http://a/${'b'.repeat(2000)}`,
])('the address %j is refused', (address) => {
  expect(() => parseVideoAddress(address)).toThrow(expect.objectContaining({ code: 'wrong_parameters' }));
});
