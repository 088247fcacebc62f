import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { makeCertificate } from '../../delivery/fixtures/certificate.js';
import { haveOpenssl } from '../fixtures/programs.js';
import {
  connectRtspClient,
  plainCamera,
  type RtspClient,
  rtspAnswer,
  type ScriptedRtspOptions,
  startScriptedRtsp,
  videoSdp,
} from '../fixtures/scripted-rtsp.js';
import { headerOf } from './rtsp-messages.js';
import { openRtspRelay, type RtspRelayOptions } from './rtsp-relay.js';
import { createStreamHosts } from './stream-hosts.js';
import type { OpenedSource } from './stream-source.js';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of cleanUp.splice(0).reverse()) await each();
});

async function startCamera(options: ScriptedRtspOptions) {
  const camera = await startScriptedRtsp(options);
  cleanUp.push(() => camera.stop());
  return camera;
}

async function openRelay(url: string, options: Partial<RtspRelayOptions> = {}, networks = '127.0.0.0/8') {
  const opened = await openRtspRelay(
    {
      url,
      credentials: null,
      transport: 'tcp',
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
  const base = opened.inputArgs.at(-1) ?? '';
  const client = await connectRtspClient(base);
  cleanUp.push(() => client.close());
  return { opened, base, client };
}

/** Asks for the description, and waits for what the relay says about it. */
async function describe(opened: OpenedSource, client: RtspClient, base: string) {
  const answer = await client.ask('DESCRIBE', base);
  if (answer?.status !== 200) await expect.poll(() => opened.failure()).not.toBeNull();
  return answer;
}

test('requests reach the camera with its own addresses, and answers come back with those of the relay', async () => {
  const camera = await startCamera({
    answer: (request) =>
      request.method === 'DESCRIBE'
        ? rtspAnswer(
            '200 OK',
            [`Content-Base: rtsp://10.9.8.7/cam/`, 'Server: RealServer', 'X-Secret: 1'],
            videoSdp,
          )
        : plainCamera(request),
  });
  const { base, client, opened } = await openRelay(camera.url);
  expect((await client.ask('OPTIONS', base))?.status).toBe(200);
  const described = await client.ask('DESCRIBE', base);
  expect(described?.text).toContain('a=control:track0');
  expect(described?.text).not.toMatch(/10\.9|real|secret|track1/i);
  const setup = await client.ask('SETUP', `${base}/track0`, [
    'Transport: RTP/AVP/TCP;unicast;interleaved=0-1',
  ]);
  expect(setup?.text).toContain('transport: RTP/AVP/TCP;unicast;interleaved=0-1');
  expect((await client.ask('PLAY', base, ['Session: 12345']))?.status).toBe(200);
  expect((await client.ask('SETUP', `${base}/track9`))?.status).toBe(404);
  expect((await client.ask('RECORD', base))?.status).toBe(501);
  expect(camera.requests.map(({ method, uri }) => `${method} ${uri}`)).toEqual([
    `OPTIONS ${camera.url}`,
    `DESCRIBE ${camera.url}`,
    'SETUP rtsp://10.9.8.7/cam/track1',
    'PLAY rtsp://10.9.8.7/cam/',
  ]);
  expect(opened.failure()).toBeNull();
  // The camera keeps few sessions: the one of an ffmpeg that was killed is ended.
  client.close();
  await expect.poll(() => camera.requests.at(-1)).toMatchObject({ method: 'TEARDOWN' });
  await expect.poll(() => camera.counts.open).toBe(0);
});

test('frames after the answer to PLAY come after it, all of them', async () => {
  const frames = Buffer.concat(
    Array.from({ length: 500 }, (_, index) =>
      Buffer.concat([Buffer.from([0x24, 0, 0, 200]), Buffer.alloc(200, index)]),
    ),
  );
  const camera = await startCamera({
    answer: (request) => {
      const answer = plainCamera(request).replace('CSEQ', headerOf(request.message, 'cseq') ?? '');
      return request.method === 'PLAY' ? Buffer.concat([Buffer.from(answer), frames]) : answer;
    },
  });
  const { base, client } = await openRelay(camera.url);
  await client.ask('DESCRIBE', base);
  await client.ask('SETUP', `${base}/track0`, ['Transport: RTP/AVP/TCP;unicast;interleaved=0-1']);
  expect((await client.ask('PLAY', base))?.status).toBe(200);
  await expect.poll(() => client.frames().length).toBe(frames.length);
  expect(client.frames().equals(frames)).toBe(true);
});

test.each([
  ['Basic realm="cam"', /^Basic YWRtaW46cHc=$/],
  [
    'Digest realm="cam", nonce="abc"',
    /^Digest username="admin", realm="cam", nonce="abc", uri="rtsp:.*response="[0-9a-f]{32}"$/,
  ],
  [
    'Digest realm="cam", nonce="abc", algorithm=SHA-256, qop="auth"',
    /algorithm=SHA-256, qop=auth, nc=0000000\d, cnonce/,
  ],
])('the relay answers the challenge %s', async (challenge, expected) => {
  const camera = await startCamera({
    answer: (request) =>
      headerOf(request.message, 'authorization') === undefined
        ? rtspAnswer('401 Unauthorized', [`WWW-Authenticate: ${challenge}`])
        : plainCamera(request),
  });
  const credentials = { username: 'admin', password: 'pw' };
  const { base, client, opened } = await openRelay(camera.url, { credentials });
  expect((await client.ask('OPTIONS', base))?.status).toBe(200);
  expect((await client.ask('DESCRIBE', base))?.text).not.toMatch(/authenticate|realm/);
  const sent = camera.requests.map(({ message }) => headerOf(message, 'authorization')).filter(Boolean);
  expect(sent).toHaveLength(2);
  for (const each of sent) expect(each).toMatch(expected);
  expect(opened.failure()).toBeNull();
});

test('credentials that are refused are sent once, and what the camera says is the reason', async () => {
  const camera = await startCamera({
    answer: () => rtspAnswer('401 Unauthorized', ['WWW-Authenticate: Digest realm="cam", nonce="abc"']),
  });
  const { base, client, opened } = await openRelay(camera.url, {
    credentials: { username: 'a', password: 'b' },
  });
  expect((await describe(opened, client, base))?.status).toBe(401);
  expect(opened.failure()).toMatchObject({
    code: 'credentials',
    message: 'the camera refuses user name and password',
  });
  expect(camera.requests).toHaveLength(2);
});

test('a redirect is followed to an address that is allowed, without the password', async () => {
  const target = await startCamera({
    answer: (request) =>
      headerOf(request.message, 'authorization') === undefined && request.method === 'SETUP'
        ? rtspAnswer('401 Unauthorized', ['WWW-Authenticate: Basic realm="x"'])
        : plainCamera(request),
  });
  const camera = await startCamera({
    answer: () => rtspAnswer('302 Found', [`Location: ${target.url.replace('rtsp://', 'rtsp://u:p@')}/2`]),
  });
  const { base, client } = await openRelay(camera.url, { credentials: { username: 'a', password: 'b' } });
  expect((await client.ask('DESCRIBE', base))?.status).toBe(200);
  expect(target.requests[0]?.uri).toBe(`${target.url}/2`);
  const setup = await client.ask('SETUP', `${base}/track0`, [
    'Transport: RTP/AVP/TCP;unicast;interleaved=0-1',
  ]);
  expect(setup?.status).toBe(401);
  await expect.poll(() => camera.counts.open).toBe(0);
});

test.each([
  ['rtsp://169.254.169.254/latest', 'refused', /169\.254\.169\.254 is not allowed/],
  ['rtsp://127.0.0.1:22/', 'refused', /port 22/],
  ['http://127.0.0.1/', 'refused', /no RTSP address/],
  ['', 'refused', /no RTSP address/],
])('a redirect to %s is not followed', async (location, code, message) => {
  const camera = await startCamera({ answer: () => rtspAnswer('301 Moved', [`Location: ${location}`]) });
  const { base, client, opened } = await openRelay(camera.url);
  expect(await describe(opened, client, base)).toBeNull();
  expect(opened.failure()).toMatchObject({ code, message: expect.stringMatching(message) });
});

test('loopback, and a camera that redirects for ever, are refused', async () => {
  const camera = await startCamera({
    answer: (_request, _socket, count) => rtspAnswer('302 Found', [`Location: ${camera.url}/${count}`]),
  });
  const loop = await openRelay(camera.url);
  expect(await describe(loop.opened, loop.client, loop.base)).toBeNull();
  expect(loop.opened.failure()?.message).toMatch(/redirects more than 3 times/);
  expect(camera.requests).toHaveLength(4);
  await expect(openRelay(camera.url, {}, '')).rejects.toMatchObject({ code: 'refused' });
});

const endless = Buffer.from(`X-Header: ${'a'.repeat(100)}\r\n`.repeat(50));
test.each<readonly [string, ScriptedRtspOptions['answer'], string, RegExp]>([
  [
    'sends headers without end',
    (_request, socket) => {
      socket.write('RTSP/1.0 200 OK\r\n');
      const timer = setInterval(() => socket.write(endless), 1);
      socket.once('close', () => clearInterval(timer));
      return null;
    },
    'protocol',
    /without end/,
  ],
  [
    'sends a line without end',
    () => Buffer.concat([Buffer.from('RTSP/1.0 200 OK\r\nA: '), Buffer.alloc(20_000, 0x61)]),
    'protocol',
    /longer than/,
  ],
  ['speaks HTTP', () => 'HTTP/1.1 400 Bad Request\r\n\r\n', 'protocol', /no RTSP/],
  [
    'closes',
    (_request, socket) => {
      socket.destroy();
      return null;
    },
    'unreachable',
    /closed|cut/,
  ],
  ['has no video', () => rtspAnswer('200 OK', [], 'v=0\r\nm=audio 0 RTP/AVP 0\r\n'), 'no-video', /no video/],
  ['has no such stream', () => rtspAnswer('404 Not Found'), 'not-found', /no stream/],
  ['has too many viewers', () => rtspAnswer('503 Service Unavailable'), 'unreachable', /viewers/],
])('a camera that %s is the reason of a failure', async (_name, answer, code, message) => {
  const camera = await startCamera({ answer });
  const { base, client, opened } = await openRelay(camera.url);
  await describe(opened, client, base);
  expect(opened.failure()).toMatchObject({ code, message: expect.stringMatching(message) });
  client.close();
  await expect.poll(() => camera.counts.open).toBe(0);
});

test('a camera that sends nothing has failed after the time for an answer', async () => {
  const camera = await startCamera({ answer: () => null });
  const { base, client, opened } = await openRelay(camera.url, { answerTimeoutMs: 100 });
  expect(await describe(opened, client, base)).toBeNull();
  expect(opened.failure()).toMatchObject({ code: 'timeout' });
  await expect.poll(() => camera.counts.open).toBe(0);
});

test('a camera that asks without end and reads no answer is read no further, and can be closed', async () => {
  const question = `OPTIONS * RTSP/1.0\r\nCSeq: ${'1'.repeat(8000)}\r\n\r\n`;
  const flood = Buffer.from(question.repeat(5000));
  let asking: Socket | undefined;
  const camera = await startCamera({
    answer(request, socket) {
      asking = socket;
      if (request.method === 'DESCRIBE') socket.pause().write(flood);
      return request.method === 'DESCRIBE' ? null : plainCamera(request);
    },
  });
  const { base, client, opened } = await openRelay(camera.url);
  await client.ask('OPTIONS', base);
  const described = client.ask('DESCRIBE', base);
  // What the buffers of the system hold, and no more, has left the camera.
  await expect.poll(() => asking?.writableLength ?? 0).toBeGreaterThan(0);
  await setTimeout(4000);
  expect(asking?.writableLength).toBeGreaterThan(0);
  const startedMs = performance.now();
  await opened.close();
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  expect(await described).toBeNull();
});

test('only who knows the name of the relay is served, and only one', async () => {
  const camera = await startCamera({ answer: plainCamera });
  const { base, client } = await openRelay(camera.url);
  const stranger = await connectRtspClient(base);
  cleanUp.push(() => stranger.close());
  expect((await stranger.ask('DESCRIBE', base.replace(/[0-9a-f]{32}/, '0'.repeat(32))))?.status).toBe(404);
  expect((await client.ask('DESCRIBE', base))?.status).toBe(200);
  const second = await connectRtspClient(base);
  cleanUp.push(() => second.close());
  expect((await second.ask('DESCRIBE', base))?.status).toBe(404);
  expect(camera.counts.all).toBe(1);
});

test.skipIf(!haveOpenssl())('a certificate is checked, unless it is said not to', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rtsp-relay-'));
  cleanUp.push(() => rm(folder, { recursive: true }));
  const { key, certificate: cert } = makeCertificate(folder, 'camera');
  const camera = await startCamera({ answer: plainCamera, tls: { key, cert } });
  const reach = createStreamHosts({ streamAllowedNetworks: '127.0.0.0/8', openSignUp: false });
  const connect = (isCertificateUnchecked: boolean) => ({
    reach,
    isCertificateUnchecked,
    connectTimeoutMs: 20_000,
  });
  await expect(openRelay(camera.url, { connect: connect(false) })).rejects.toMatchObject({
    code: 'identity',
    message: expect.stringContaining('unchecked'),
  });
  const unchecked = await openRelay(camera.url, { connect: connect(true) });
  expect((await unchecked.client.ask('DESCRIBE', unchecked.base))?.status).toBe(200);
  expect(camera.requests[0]?.uri).toBe(camera.url);
});

test('over UDP the relay takes datagrams of the camera alone, and passes on reports', async () => {
  const cameraRtp = createSocket('udp4').bind(0, '127.0.0.1');
  const ffmpegRtp = createSocket('udp4').bind(0, '127.0.0.1');
  const other = createSocket('udp4').bind(0, '127.0.0.1');
  await Promise.all([cameraRtp, ffmpegRtp, other].map((socket) => once(socket, 'listening')));
  for (const socket of [cameraRtp, ffmpegRtp, other]) cleanUp.push(() => socket.close());
  const cameraPort = cameraRtp.address().port;
  const ffmpegPort = ffmpegRtp.address().port;
  let asked = '';
  const camera = await startCamera({
    answer: (request) => {
      if (request.method !== 'SETUP') return plainCamera(request);
      asked = headerOf(request.message, 'transport') ?? '';
      const transport = `Transport: RTP/AVP;unicast;source=169.254.169.254;${asked.split(';').at(-1)};server_port=${cameraPort}-${cameraPort + 1}`;
      return rtspAnswer('200 OK', ['Session: 1', transport]);
    },
  });
  const { base, client } = await openRelay(camera.url, { transport: 'udp' });
  await client.ask('DESCRIBE', base);
  const setup = await client.ask('SETUP', `${base}/track0`, [
    `Transport: RTP/AVP/UDP;unicast;client_port=${ffmpegPort}-${ffmpegPort + 1}`,
  ]);
  const [, relayPort = ''] = /server_port=(\d+)-/.exec(setup?.text ?? '') ?? [];
  expect(setup?.text).toContain(`client_port=${ffmpegPort}-${ffmpegPort + 1}`);
  expect(setup?.text).not.toContain('169.254');
  const [, outsidePort = ''] = /client_port=(\d+)-/.exec(asked) ?? [];
  expect(Number(outsidePort) % 2).toBe(0);
  expect(Number(outsidePort)).not.toBe(ffmpegPort);
  const arrived: string[] = [];
  ffmpegRtp.on('message', (datagram, from) => arrived.push(`${datagram} from ${from.port}`));
  const answered: string[] = [];
  cameraRtp.on('message', (datagram) => answered.push(String(datagram)));
  await expect
    .poll(() => {
      other.send('stranger', Number(outsidePort), '127.0.0.1');
      cameraRtp.send('video', Number(outsidePort), '127.0.0.1');
      other.send('stranger', Number(relayPort), '127.0.0.1');
      ffmpegRtp.send('report', Number(relayPort), '127.0.0.1');
      return arrived.length > 2 && answered.length > 2;
    })
    .toBe(true);
  expect(new Set(arrived)).toEqual(new Set([`video from ${relayPort}`]));
  expect(new Set(answered)).toEqual(new Set(['report']));
});
