import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Client } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { startTestService, type TestService } from './fixtures/test-service.js';

let service: TestService | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

const get = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n';
const lastGet = get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
const countAnswers = (text: string) => text.split('HTTP/1.1 200 ').length - 1;

test('twenty requests sent at once on one connection are all answered, and twenty more after them', async () => {
  service = await startTestService();
  const twenty = get.repeat(19) + lastGet;
  expect(countAnswers(await service.sendRaw(twenty, 5000))).toBe(20);
  expect(countAnswers(await service.sendRaw(twenty, 5000))).toBe(20);
});

test.each([
  ['the end of a body without a length', get, '0\r\n\r\n'],
  ['no HTTP', get.repeat(3), 'hello\r\n\r\n'],
])(
  'a whole request is answered, and then the connection is closed: %s behind it',
  async (_case, ask, rest) => {
    service = await startTestService();
    const { socket, heard } = await open(service.port, ask + rest);
    const text = await heard;
    expect(countAnswers(text)).toBe(ask.split('GET').length - 1);
    expect(text).not.toContain('400 Bad Request');
    expect(text.toLowerCase().split('connection: close').length - 1).toBe(1);
    expect(socket.destroyed).toBe(true);
  },
);

test('so is one whose answer takes its time', async () => {
  service = await startTestService();
  const { key, runner } = service;
  const { script } = runner;
  let isAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  runner.script = async (...args) => {
    isAsked();
    await answered;
    return script(...args);
  };
  const form = `--X\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\na\r\n--X--\r\n`;
  const head = `POST /predict/image?apikey=${key}&parts=objects HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=X`;
  const { socket, heard } = await open(
    service.port,
    `${head}\r\nContent-Length: ${form.length}\r\n\r\n${form}0\r\n\r\n`,
  );
  await asked;
  socket.write('more');
  await setImmediate();
  answer();
  expect(countAnswers(await heard)).toBe(1);
});

test('a hundred requests one after the other go over one connection, refused uploads among them', async () => {
  service = await startTestService();
  const { base, key } = service;
  const client = new Client(base);
  for (let round = 0; round < 50; round += 1) {
    const alive = await client.request({ path: '/livez', method: 'GET' });
    await alive.body.dump();
    const wrong = round % 2 === 0 ? 'wrong' : key;
    const refused = await client.request({
      path: `/predict/image?apikey=${wrong}&parts=none`,
      method: 'POST',
      body: Buffer.alloc(round % 10 === 0 ? 600_000 : 1000),
    });
    expect([alive.statusCode, refused.statusCode]).toEqual([200, round % 2 === 0 ? 401 : 400]);
    await refused.body.dump();
  }
  await client.close();
});

test('thousands sent at once close their connection, and another is answered', async () => {
  service = await startTestService();
  const flood = service.sendRaw('GET /predict/image HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1300), 5000);
  const other = service.sendRaw(lastGet, 5000);
  expect(countAnswers(await other)).toBe(1);
  expect((await flood).split('HTTP/1.1 ').length - 1).toBeLessThan(100);
});

/** A connection that has written `text` and hears until it is closed. */
async function open(port: number, text: string) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  await new Promise((resolve) => socket.once('connect', resolve));
  const heard = new Promise<string>((resolve) => {
    let said = '';
    socket.on('data', (chunk: string) => {
      said += chunk;
    });
    socket.on('error', () => undefined).on('close', () => resolve(said));
  });
  if (text !== '') socket.write(text);
  return { socket, heard };
}

const isOpen = (socket: Socket) => !socket.destroyed;

test('when all slots are taken, a new client gets that of the connection that waited longest', async () => {
  service = await startTestService({ maxConnections: 10 });
  const { port } = service;
  const slow = [];
  // One after the other, so that it is certain who waits longest.
  for (let index = 0; index < 10; index += 1) {
    slow.push(await open(port, 'GET /livez HTTP/1.1\r\nHost: a\r\nX-Slow: '));
    await expect.poll(() => countConnections()).toBe(index + 1);
  }
  for (let index = 0; index < 5; index += 1) {
    expect(countAnswers(await service.sendRaw(lastGet, 5000))).toBe(1);
  }
  // The first made room for the first client; each later one took the slot that it left.
  await slow[0]?.heard;
  expect(slow.slice(1).every(({ socket }) => isOpen(socket))).toBe(true);
  for (const { socket } of slow) socket.destroy();
});

test('when every connection has a request under way, the next is answered that the service is busy', async () => {
  service = await startTestService({ maxConnections: 3 });
  const { port } = service;
  // Of a trial, each call is counted before its body is read.
  const { key, accountId } = await service.makeKey('trial');
  const sending = `POST /predict/image?apikey=${key} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n`;
  const busy = await Promise.all([1, 2, 3].map(() => open(port, sending)));
  await expect.poll(() => service?.callsUsed(accountId)).toBe(3);
  const refused = await service.sendRaw('GET /predict/image HTTP/1.1\r\nHost: a\r\n\r\n', 3000);
  expect(refused).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nRetry-After: 1\r\n[\s\S]*"Error \(Service Busy\)"/i);
  expect(busy.every(({ socket }) => isOpen(socket))).toBe(true);
  for (const { socket } of busy) socket.destroy();
  await expect.poll(async () => countAnswers((await service?.sendRaw(lastGet, 5000)) ?? '')).toBe(1);
});

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    service?.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}
