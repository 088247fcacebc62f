import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { startHttpCamera } from '../fixtures/http-camera.js';
import { type HttpRelayOptions, openHttpRelay } from './http-relay.js';
import { createStreamHosts } from './stream-hosts.js';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const each of cleanUp.splice(0).reverse()) await each();
});

async function startCamera(...args: Parameters<typeof startHttpCamera>) {
  const camera = await startHttpCamera(...args);
  cleanUp.push(() => camera.stop());
  return camera;
}

async function openRelay(url: string, options: Partial<HttpRelayOptions> = {}, networks = '127.0.0.0/8') {
  const opened = await openHttpRelay(
    {
      url,
      kind: 'hls',
      credentials: null,
      preferredWidth: 1280,
      connect: {
        reach: createStreamHosts({ streamAllowedNetworks: networks, openSignUp: false }),
        isCertificateUnchecked: false,
        connectTimeoutMs: 20_000,
      },
      answerTimeoutMs: 20_000,
      ...options,
    },
    new AbortController().signal,
  );
  cleanUp.push(() => opened.close());
  const root = opened.inputArgs.at(-1) ?? '';
  return { opened, root, origin: new URL(root).origin };
}

const ts = Buffer.concat([Buffer.from([0x47]), Buffer.alloc(187, 1)]);
const playlist = (...lines: string[]) => ['#EXTM3U', '#EXT-X-TARGETDURATION:1', ...lines].join('\n');

test('a playlist and what it names come through names of the relay; a segment that is gone is no failure', async () => {
  const camera = await startCamera((request, response) => {
    if (request.url === '/live/index.m3u8')
      response.end(playlist('#EXTINF:1,', 'a.ts?x=1', '#EXTINF:1,', 'b.ts'));
    else if (request.url === '/live/a.ts?x=1') response.end(ts);
    else response.writeHead(404).end();
  });
  const { opened, root, origin } = await openRelay(`${camera.url}/live/index.m3u8`);
  expect(opened.inputArgs).toContain('hls');
  expect(opened.inputArgs.join(' ')).not.toContain(String(camera.port));
  const text = await (await fetch(root)).text();
  expect(text).not.toMatch(/(^|\/)(a|b|gone)\.ts/m);
  const [first = '', second = ''] = text.split('\n').filter((line) => line.startsWith('/'));
  expect(Buffer.from(await (await fetch(origin + first)).arrayBuffer()).equals(ts)).toBe(true);
  expect((await fetch(origin + second)).status).toBe(404);
  expect(opened.failure()).toBeNull();
  // The same names again, so that ffmpeg knows what it has read.
  expect(await (await fetch(root)).text()).toBe(text);
  expect((await fetch(`${origin}/${'0'.repeat(32)}/stream.m3u8`)).status).toBe(404);
  expect((await fetch(root, { method: 'POST' })).status).toBe(404);
});

test('parts of a file are asked for as parts', async () => {
  const bytes = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom'), Buffer.alloc(1000, 5)]);
  const camera = await startCamera((request, response) => {
    const [, from] = /bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
    if (from === undefined)
      response.writeHead(200, { 'accept-ranges': 'bytes', 'content-length': bytes.length }).end(bytes);
    else
      response
        .writeHead(206, { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` })
        .end(bytes.subarray(Number(from)));
  });
  const { opened, root } = await openRelay(`${camera.url}/video.mp4`);
  expect(opened.inputArgs).toContain('mov');
  const whole = await fetch(root, { headers: { range: 'bytes=0-' } });
  expect([whole.status, whole.headers.get('accept-ranges')]).toEqual([200, 'bytes']);
  expect((await whole.arrayBuffer()).byteLength).toBe(bytes.length);
  const part = await fetch(root, { headers: { range: 'bytes=1000-' } });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1011/1012`]);
  expect((await part.arrayBuffer()).byteLength).toBe(12);
});

test.each([
  ['Basic realm="cam"', /^Basic /],
  ['Digest realm="cam", nonce="n", qop="auth"', /^Digest username="admin".*qop=auth/],
])(
  'the challenge %s is answered at the server of the stream, and nowhere else',
  async (challenge, expected) => {
    const other = await startCamera((request, response) => {
      if (request.url === '/open.ts') response.end(ts);
      else response.writeHead(401, { 'www-authenticate': challenge }).end();
    });
    const camera = await startCamera((request, response) => {
      if (request.headers.authorization === undefined)
        response.writeHead(401, { 'www-authenticate': challenge }).end();
      else if (request.url === '/index.m3u8') {
        response.end(
          playlist(
            '#EXTINF:1,',
            'own.ts',
            '#EXTINF:1,',
            `${other.url}/open.ts`,
            '#EXTINF:1,',
            `${other.url}/closed.ts`,
          ),
        );
      } else response.end(ts);
    });
    const credentials = { username: 'admin', password: 'pw' };
    const { root, origin } = await openRelay(`${camera.url}/index.m3u8`, { credentials });
    const names = (await (await fetch(root)).text()).split('\n').filter((line) => line.startsWith('/'));
    const statuses = await Promise.all(names.map(async (name) => (await fetch(origin + name)).status));
    expect(statuses).toEqual([200, 200, 502]);
    expect(other.requests.map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
    const sent = camera.requests.map(({ authorization }) => authorization).filter(Boolean);
    expect(sent.length).toBeGreaterThanOrEqual(2);
    for (const each of sent) expect(each).toMatch(expected);
  },
);

test.each([
  ['http://169.254.169.254/latest/meta-data/', /169\.254\.169\.254 is not allowed/],
  ['http://[::1]/', /::1 is not allowed/],
  ['file:///etc/passwd', /neither http nor https/],
  ['gopher://127.0.0.1/', /neither http nor https/],
])('a redirect to %s is refused', async (location, message) => {
  const camera = await startCamera((_request, response) => response.writeHead(302, { location }).end());
  await expect(openRelay(`${camera.url}/cam`)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringMatching(message),
  });
});

test('loopback is refused unless it is listed, and redirects without end are', async () => {
  const camera = await startCamera((_request, response) =>
    response.writeHead(302, { location: '/again' }).end(),
  );
  await expect(openRelay(`${camera.url}/`, {}, '')).rejects.toMatchObject({ code: 'refused' });
  expect(camera.requests).toEqual([]);
  await expect(openRelay(`${camera.url}/`)).rejects.toThrow(/redirects more than 5 times/);
  expect(camera.requests).toHaveLength(6);
});

test('a playlist that names a file, an inner host, or a playlist in the place of a segment, opens none of them', async () => {
  const camera = await startCamera((request, response) => {
    if (request.url === '/file.m3u8') response.end(playlist('#EXTINF:1,', 'file:///etc/passwd'));
    else if (request.url === '/inner.m3u8')
      response.end(playlist('#EXTINF:1,', 'http://169.254.169.254/latest'));
    else response.end(playlist('#EXTINF:1,', '/list.ts'));
  });
  const file = await openRelay(`${camera.url}/file.m3u8`);
  expect((await fetch(file.root)).status).toBe(502);
  expect(file.opened.failure()).toMatchObject({ code: 'refused' });
  for (const [path, code] of [
    ['inner', 'refused'],
    ['nested', 'protocol'],
  ]) {
    const { opened, root, origin } = await openRelay(`${camera.url}/${path}.m3u8`);
    const name = (await (await fetch(root)).text()).split('\n').find((line) => line.startsWith('/'));
    expect((await fetch(`${origin}${name}`)).status).toBe(502);
    expect(opened.failure()).toMatchObject({ code });
  }
});

test('playlists that name each other come to an end', async () => {
  const camera = await startCamera((request, response) => {
    const next = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0) + 1;
    response.end(`#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n/${next}.m3u8`);
  });
  const { opened, root, origin } = await openRelay(`${camera.url}/0.m3u8`);
  const name = (await (await fetch(root)).text()).split('\n').find((line) => line.startsWith('/'));
  expect((await fetch(`${origin}${name}`)).status).toBe(502);
  expect(opened.failure()?.message).toMatch(/names further ones/);
  expect(camera.requests).toHaveLength(2);
});

test('a playlist without end costs a megabyte at most', async () => {
  let sent = 0;
  const camera = await startCamera((_request, response) => {
    response.write('#EXTM3U\n');
    const chunk = Buffer.from('#EXTINF:1,\nx\n'.repeat(5000));
    const more = () => {
      while (!response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) break;
      }
    };
    response.on('drain', more);
    more();
  });
  const { opened, root } = await openRelay(`${camera.url}/`);
  expect((await fetch(root)).status).toBe(502);
  expect(opened.failure()?.message).toMatch(/longer than 1048576 bytes/);
  await expect.poll(() => camera.counts.open).toBe(0);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

test.each<readonly [string, Parameters<typeof startHttpCamera>[0], string, RegExp]>([
  [
    'asks for a password',
    (_, response) => response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end(),
    'credentials',
    /asks for user name/,
  ],
  [
    'forbids it to everybody',
    (_, response) => response.writeHead(403).end(),
    'credentials',
    /refuses this address to a request without user name and password \(HTTP status 403\); check the path/,
  ],
  [
    'asks for a log-in of another kind',
    (_, response) => response.writeHead(401, { 'www-authenticate': 'Negotiate, NTLM' }).end(),
    'credentials',
    /log-in by negotiate, ntlm; only Basic and Digest are supported/,
  ],
  [
    'shows a page',
    (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><html></html>'),
    'no-video',
    /web page/,
  ],
  [
    'gives an image of another kind',
    (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('\x89PNG\r\n'),
    'no-video',
    /single image/,
  ],
  ['has nothing there', (_, response) => response.writeHead(404).end(), 'not-found', /check its path/],
  ['is overloaded', (_, response) => response.writeHead(503).end(), 'unreachable', /status 503/],
  [
    'sends headers without end',
    (_, response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => response.socket?.write(`X-A: ${'b'.repeat(1000)}\r\n`), 1);
      response.socket?.once('close', () => clearInterval(timer));
    },
    'protocol',
    /headers without end/,
  ],
  [
    'speaks something else',
    (_, response) => response.socket?.end('SSH-2.0-x\r\n'),
    'protocol',
    /does not speak HTTP/,
  ],
])('a server that %s is the reason', async (_name, answer, code, message) => {
  const camera = await startCamera(answer);
  await expect(openRelay(`${camera.url}/cam`)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
});

test('a server that sends nothing, or only headers, has failed after the time for an answer', async () => {
  const camera = await startCamera((request, response) => {
    if (request.url === '/headers') response.writeHead(200).flushHeaders();
  });
  for (const path of ['/nothing', '/headers']) {
    await expect(openRelay(`${camera.url}${path}`, { answerTimeoutMs: 200 })).rejects.toMatchObject({
      code: 'timeout',
    });
  }
  await expect.poll(() => camera.counts.open).toBe(0);
});

test('a reader that stops is not read ahead for, and close ends the connection to the camera', async () => {
  let sent = 0;
  const camera = await startCamera((_request, response) => {
    const chunk = Buffer.concat([Buffer.from('FLV'), Buffer.alloc(65_533)]);
    const more = () => {
      while (!response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) break;
      }
    };
    response.on('drain', more);
    more();
  });
  const { opened, root } = await openRelay(`${camera.url}/live.flv`);
  const answer = await fetch(root);
  const reader = answer.body?.getReader();
  await reader?.read();
  let before = -1;
  await expect
    .poll(
      () => {
        const isStill = sent === before;
        before = sent;
        return isStill;
      },
      { interval: 300 },
    )
    .toBe(true);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
  await opened.close();
  await expect.poll(() => camera.counts.open).toBe(0);
  await reader?.cancel().catch(() => undefined);
});

test.each([
  ['alone', { 'content-type': 'image/jpeg' }, ''],
  ['with its length', { 'content-type': 'image/jpeg', 'content-length': '24' }, ''],
  [
    'as the only part',
    { 'content-type': 'multipart/x-mixed-replace; boundary=x' },
    '--x\r\nContent-Type: image/jpeg\r\n\r\n',
  ],
])('one image %s is no stream, which says so', async (_name, headers, before) => {
  const image = Buffer.from('ffd8ffe000040102ffda00080101000000000102030405ffd9', 'hex').subarray(0, 24);
  const whole = Buffer.concat([image.subarray(0, 22), Buffer.from([0xff, 0xd9])]);
  const camera = await startCamera((_request, response) => {
    response.writeHead(200, headers);
    response.end(Buffer.concat([Buffer.from(before), whole]));
  });
  const { opened, root } = await openRelay(`${camera.url}/snapshot.jpg`, { kind: 'mjpeg' });
  await fetch(root)
    .then((answer) => answer.arrayBuffer())
    .catch(() => undefined);
  expect(opened.failure()).toMatchObject({
    code: 'no-video',
    message: expect.stringMatching(/snapshot.*no stream/),
  });
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
])(
  'playlists and segments are read that a server compresses without being asked (%s)',
  async (encoding, encode) => {
    const camera = await startCamera((request, response) => {
      response.setHeader('content-encoding', encoding);
      const content = request.url === '/a.ts' ? ts : Buffer.from(playlist('#EXTINF:1,', 'a.ts'));
      const bytes = encode(content);
      response.setHeader('content-length', bytes.length).end(bytes);
    });
    const { opened, root, origin } = await openRelay(`${camera.url}/index.m3u8`);
    expect(opened.inputArgs).toContain('hls');
    const [segment = ''] = (await (await fetch(root)).text())
      .split('\n')
      .filter((line) => line.startsWith('/'));
    const answer = await fetch(origin + segment);
    expect(Buffer.from(await answer.arrayBuffer()).equals(ts)).toBe(true);
  },
);

test('images of a camera that compresses its stream come as it sends them', async () => {
  const image = Buffer.from('ffd8ffe000040102ffda000801010000000001020304ffd9', 'hex');
  const part = Buffer.concat([
    Buffer.from('--x\r\nContent-Type: image/jpeg\r\n\r\n'),
    image,
    Buffer.from('\r\n'),
  ]);
  const camera = await startCamera((_request, response) => {
    response.writeHead(200, {
      'content-type': 'multipart/x-mixed-replace; boundary=x',
      'content-encoding': 'gzip',
    });
    // Never ended: each image comes by itself.
    const encoder = createGzip();
    encoder.pipe(response);
    encoder.write(part);
    encoder.write(part);
    encoder.flush();
  });
  const { opened, root } = await openRelay(`${camera.url}/video.mjpg`, { kind: 'mjpeg' });
  expect(opened.inputArgs).toContain('mpjpeg');
  const reader = (await fetch(root)).body?.getReader();
  let text = '';
  while (reader && text.split('--frame').length < 3) {
    const { value = new Uint8Array() } = await reader.read();
    text += Buffer.from(value).toString('latin1');
  }
  await reader?.cancel();
  expect(text).toContain(image.toString('latin1'));
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
])('a compressed playlist that is cut short is an error (%s)', async (encoding, encode) => {
  const whole = encode(Buffer.from(playlist('#EXTINF:1,', 'a.ts', '#EXTINF:1,', 'b.ts')));
  for (const bytes of [whole.length >> 1, whole.length - 1]) {
    const camera = await startCamera((_request, response) => {
      response.setHeader('content-encoding', encoding).end(whole.subarray(0, bytes));
    });
    await expect(
      openRelay(`${camera.url}/index.m3u8`).then(async ({ opened, root }) => {
        await fetch(root);
        throw opened.failure();
      }),
    ).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('ended its answer before it was whole'),
    });
  }
});

test('segments that are compressed in a way that cannot be read keep no connection', async () => {
  const open = new Set<object>();
  const camera = await startCamera((request, response) => {
    if (request.url !== '/a.ts') return void response.end(playlist('#EXTINF:1,', 'a.ts'));
    open.add(request.socket);
    request.socket.once('close', () => open.delete(request.socket));
    // Never ended.
    response.setHeader('content-encoding', 'zstd').write(Buffer.alloc(100));
  });
  const { opened, root, origin } = await openRelay(`${camera.url}/index.m3u8`);
  const [segment = ''] = (await (await fetch(root)).text())
    .split('\n')
    .filter((line) => line.startsWith('/'));
  // More than there are connections.
  for (let nth = 0; nth < 6; nth += 1) {
    const answer = await fetch(origin + segment, { signal: AbortSignal.timeout(3000) });
    expect(answer.status).toBe(502);
  }
  expect(opened.failure()).toMatchObject({ message: expect.stringContaining('zstd') });
  await expect.poll(() => open.size).toBe(0);
});

test('a compressed live stream of images may end anywhere', async () => {
  const image = Buffer.from('ffd8ffe000040102ffda000801010000000001020304ffd9', 'hex');
  const part = Buffer.concat([Buffer.from('--x\r\nContent-Type: image/jpeg\r\n\r\n'), image]);
  const encoded = gzipSync(Buffer.concat([part, part, part, Buffer.from('--x\r\n')]));
  const camera = await startCamera((_request, response) => {
    response.setHeader('content-type', 'multipart/x-mixed-replace; boundary=x');
    response.setHeader('content-encoding', 'gzip').end(encoded.subarray(0, -8));
  });
  const { root } = await openRelay(`${camera.url}/video.mjpg`, { kind: 'mjpeg' });
  const text = Buffer.from(await (await fetch(root)).arrayBuffer()).toString('latin1');
  expect(text.split(image.toString('latin1'))).toHaveLength(4);
});

test('a compression that cannot be read is named', async () => {
  const camera = await startCamera((_request, response) => {
    response.setHeader('content-encoding', 'zstd').end(Buffer.alloc(100));
  });
  await expect(openRelay(`${camera.url}/index.m3u8`)).rejects.toMatchObject({
    code: 'protocol',
    message: expect.stringContaining('zstd'),
  });
});

test('names of headers are written as cameras compare them', async () => {
  const names: string[] = [];
  const camera = await startCamera((request, response) => {
    names.push(...request.rawHeaders.filter((_, index) => index % 2 === 0));
    if (request.headers.authorization === undefined)
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    else response.end(ts);
  });
  await openRelay(`${camera.url}/a.ts`, { credentials: { username: 'u', password: 'p' } });
  expect([...new Set(names)].sort()).toEqual([
    ...['Accept', 'Accept-Encoding', 'Authorization', 'Connection', 'Host', 'User-Agent'],
  ]);
});

/** A server of TCP that sends the same text to each request. */
async function startScripted(text: string) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('data', () => socket.write(text));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanUp.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return server.address() as AddressInfo;
}

test.each([
  [
    'a switch of protocols',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
  ],
  [
    'a switch of protocols and data',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n#EXTM3U\n',
  ],
])('%s ends the request, at the first one and later', async (_name, text) => {
  const { port } = await startScripted(text);
  const message = expect.stringContaining('HTTP status 101');
  await expect(openRelay(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'protocol', message });
  const camera = await startCamera((request, response) => {
    if (request.url === '/') response.end(playlist('#EXTINF:1,', `http://127.0.0.1:${port}/a.ts`));
    else response.writeHead(404).end();
  });
  const { opened, root, origin } = await openRelay(camera.url);
  const [, segment = ''] = /^(\/.*)$/m.exec(await (await fetch(root)).text()) ?? [];
  expect((await fetch(origin + segment)).status).toBe(502);
  expect(opened.failure()).toMatchObject({ code: 'protocol', message });
  await opened.close();
});

test('a camera that redirects and closes the connection without saying so is followed', async () => {
  const server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .on('data', (request) => {
        if (request.toString('latin1').startsWith('GET /ok ')) {
          socket.end(
            `HTTP/1.1 200 OK\r\nContent-Length: ${ts.length}\r\nConnection: close\r\n\r\n${ts.toString('latin1')}`,
            'latin1',
          );
        } else socket.end('HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 0\r\n\r\n');
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanUp.push(async () => {
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  for (let round = 0; round < 5; round += 1) {
    const { opened } = await openRelay(`http://127.0.0.1:${port}/`);
    expect(opened.failure()).toBeNull();
    await opened.close();
  }
});

test('answers without end before the answer, or none at all, end with the time for it', async () => {
  for (const text of ['', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)]) {
    const { port } = await startScripted(text);
    await expect(openRelay(`http://127.0.0.1:${port}/`, { answerTimeoutMs: 300 })).rejects.toMatchObject({
      code: 'timeout',
    });
  }
});

test('requests that wait for a connection end when the relay closes or their reader leaves', async () => {
  const camera = await startCamera((request, response) => {
    if (request.url === '/')
      response.end(
        playlist(...['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name) => ['#EXTINF:1,', `${name}.ts`])),
      );
    // An answer that does not end keeps its connection.
    else response.write(ts);
  });
  const { opened, root, origin } = await openRelay(`${camera.url}/`);
  const names = (await (await fetch(root)).text()).split('\n').filter((line) => line.startsWith('/'));
  const readers = names.map(() => new AbortController());
  const asked = names.map((name, index) => fetch(origin + name, { signal: readers[index]?.signal ?? null }));
  await Promise.all(asked.slice(0, 4));
  readers[4]?.abort();
  await expect(asked[4]).rejects.toThrow();
  const settled = Promise.allSettled(asked);
  await opened.close();
  await settled;
});
