import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { parseNetworks } from '../../../intake/public-address.js';
import { openMqtt } from './connection.js';

const deps = { allowedNetworks: parseNetworks('deliveryAllowedNetworks', '127.0.0.0/8') };
const { signal } = new AbortController();
const connack = Buffer.from([0x20, 2, 0, 0]);

/** A broker that says what the test wants, whatever the client sends. */
async function startBroker(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const settings = { username: null, certificate: null, certificateUnchecked: false };
  return openMqtt(
    { settings: { ...settings, url: `mqtt://127.0.0.1:${port}` }, secrets: {}, clientId: 'test' },
    deps,
    signal,
  );
}

test('a broker that sends without end is cut off', async () => {
  const connection = await startBroker((socket) => {
    socket.write(connack);
    // A message of 256 MB to a topic of one letter.
    socket.write(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f, 0, 1, 97]));
    const more = Buffer.alloc(1024 * 1024);
    const send = (): void => {
      while (!socket.destroyed && socket.write(more));
    };
    socket.on('drain', send);
    send();
  });
  await expect(connection.publish('a', 'b')).rejects.toMatchObject({
    code: 'refused',
    message: 'the broker sends more than it was asked for',
  });
  expect(connection.isOpen).toBe(false);
});

test.each([
  ['hangs up at once', (socket: Socket) => socket.destroy(), 'unreachable', /closed|cut/],
  [
    'refuses the password',
    (socket: Socket) => socket.end(Buffer.from([0x20, 2, 0, 4])),
    'credentials',
    /password/,
  ],
  [
    'speaks another protocol',
    (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    'unreachable',
    /./,
  ],
])('a broker that %s is explained', async (_case, answer, code, message) => {
  await expect(startBroker(answer)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

test('a broker in a network that is not allowed is not asked', async () => {
  const settings = { username: null, certificate: null, certificateUnchecked: false };
  const target = { settings: { ...settings, url: 'mqtt://127.0.0.1' }, secrets: {}, clientId: 'test' };
  await expect(openMqtt(target, { allowedNetworks: [] }, signal)).rejects.toMatchObject({
    code: 'not-allowed',
  });
});
