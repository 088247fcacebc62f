import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { boundAnswers } from './bound-answers.js';

let server: Server;
const agents: Agent[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** The status of the answer, or what ended the request. */
async function outcome(answer: (socket: Socket, body: string) => void, body = ''): Promise<number | string> {
  server = createServer((incoming) => {
    let received = '';
    incoming.setEncoding('utf8').on('data', (piece) => {
      received += piece;
    });
    incoming.on('end', () => answer(incoming.socket, received));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const agent = boundAnswers(new Agent({ keepAlive: true }), 300);
  agents.push(agent);
  return new Promise((resolve) => {
    request({ host: '127.0.0.1', port, agent, method: 'PUT' })
      .once('response', (response) => resolve(response.resume().statusCode ?? 0))
      .once('error', (error) => resolve(error.message))
      .end(body);
  });
}

test('an answer arrives', async () => {
  const ok = (socket: Socket, body: string) =>
    socket.write(`HTTP/1.1 ${body.length} OK\r\nContent-Length: 0\r\n\r\n`);
  expect(await outcome(ok, 'x'.repeat(200))).toBe(200);
});

test('a switch of protocols ends the request', async () => {
  const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
  expect(await outcome((socket) => socket.write(head))).toContain('101');
});

test.each([
  ['no answer', 'X'],
  ['headers without an end', 'HTTP/1.1 200 OK\r\nX'],
  ['answers that say only that another follows', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
])('%s ends the request', async (what, piece) => {
  const dribble = (socket: Socket) => {
    if (what === 'no answer') return;
    socket.write(piece);
    const next = what.startsWith('answers') ? piece : 'X';
    const timer = setInterval(() => socket.write(next), 50);
    socket.on('close', () => clearInterval(timer)).on('error', () => undefined);
  };
  expect(await outcome(dribble)).toBe('no answer');
});
