import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openClient } from './open-client.js';

const body = Buffer.alloc(300_000, 'a');

/** A server that answers once in its own way, and a client for it. */
async function open(answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = openClient(`http://127.0.0.1:${port}`, {
    ...{ headersTimeout: 5000, bodyTimeout: 5000, pipelining: 0, connect: { timeout: 5000 } },
  });
  onTestFinished(async () => {
    await client.destroy();
    server.close();
  });
  return client;
}

/** Reads a piece at a time, with a pause after each. */
async function readSlowly(pieces: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    await sleep(5);
  }
  return bytes;
}

const head = 'HTTP/1.1 200 OK\r\nConnection: close\r\n';
const chunked = (end: string) =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from(`\r\n${end}`)]);

test.each([
  ['of a declared length', `${head}Content-Length: ${body.length}\r\n\r\n`, body],
  ['in chunks', `${head}Transfer-Encoding: chunked\r\n\r\n`, chunked('0\r\n\r\n')],
  ['until the end of the connection', `${head}\r\n`, body],
])(
  'a body %s is read whole where the server closes while its reader waits',
  async (_kind, start, content) => {
    const client = await open((socket) => {
      socket.write(start);
      socket.end(content);
    });
    const answer = await client.request({ method: 'GET', path: '/', highWaterMark: 1000 });
    await sleep(100);
    expect(await readSlowly(answer.body)).toBe(body.length);
  },
);

test.each([
  ['of a declared length', `${head}Content-Length: ${2 * body.length}\r\n\r\n`, body],
  ['in chunks', `${head}Transfer-Encoding: chunked\r\n\r\n`, chunked('5')],
])('a body %s that is cut is an error of its reader', async (_kind, start, content) => {
  const client = await open((socket) => {
    socket.write(start);
    socket.end(content);
  });
  const answer = await client.request({ method: 'GET', path: '/', highWaterMark: 1000 });
  await sleep(100);
  await expect(readSlowly(answer.body)).rejects.toThrow();
});

test('a reset while the reader waits is an error of its reader', async () => {
  const client = await open((socket) => {
    socket.write(`${head}Content-Length: ${2 * body.length}\r\n\r\n`);
    socket.write(body, () => socket.resetAndDestroy());
  });
  const answer = await client.request({ method: 'GET', path: '/', highWaterMark: 1000 });
  await sleep(100);
  await expect(readSlowly(answer.body)).rejects.toThrow();
});

test('a body that nobody reads holds nothing back', async () => {
  const client = await open((socket) => {
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n`);
    socket.end(body);
  });
  const answer = await client.request({ method: 'GET', path: '/', highWaterMark: 1000 });
  answer.body.on('error', () => undefined);
  await sleep(100);
  await client.destroy();
  expect(client.destroyed).toBe(true);
});
