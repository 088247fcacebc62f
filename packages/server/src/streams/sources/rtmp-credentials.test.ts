import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { haveFfmpeg } from '../fixtures/programs.js';
import { openTestStream } from '../fixtures/test-stream.js';

const helloBytes = 1536;

/** Values of AMF 0, of which an answer is made. */
const named = (text: string) => Buffer.concat([Buffer.from([0, text.length]), Buffer.from(text)]);
const string = (text: string) => {
  const length = Buffer.from([2, 0, 0]);
  length.writeUInt16BE(text.length, 1);
  return Buffer.concat([length, Buffer.from(text)]);
};
const one = Buffer.from([0, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0]);

/** A refusal of the command `connect`, in chunks of 128 bytes. */
function refuse(description: string): Buffer {
  const content = Buffer.concat([
    ...[string('_error'), one, Buffer.from([5, 3])],
    ...[named('level'), string('error'), named('code'), string('NetConnection.Connect.Rejected')],
    ...[named('description'), string(description), Buffer.from([0, 0, 9])],
  ]);
  const parts: Buffer[] = [Buffer.from([3, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0])];
  parts[0]?.writeUIntBE(content.length, 4, 3);
  for (let at = 0; at < content.length; at += 128) {
    if (at > 0) parts.push(Buffer.from([0xc3]));
    parts.push(content.subarray(at, at + 128));
  }
  return Buffer.concat(parts);
}

/** A server of RTMP that answers `connect` of the n-th connection with the n-th refusal, and keeps what it was asked. */
async function startServer(refusals: readonly string[]) {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let received: Buffer = Buffer.alloc(0);
    let step: 'hello' | 'command' | 'done' = 'hello';
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      if (step === 'hello' && received.length > helloBytes) {
        step = 'command';
        const theirs = received.subarray(1, 1 + helloBytes);
        socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(helloBytes), theirs]));
      }
      const command = received.subarray(1 + 2 * helloBytes);
      if (step === 'command' && command.length > 12 && command.length >= command.readUIntBE(4, 3) + 12) {
        step = 'done';
        const refusal = refusals[asked.length];
        // Without the marks between chunks.
        asked.push(command.toString('latin1').replaceAll('\u00c3', ''));
        if (refusal !== undefined) socket.write(refuse(refusal));
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, asked };
}

test.skipIf(!haveFfmpeg())(
  'a server of RTMP that asks for user name and password on connections of their own is answered',
  async () => {
    const reject = '[ AccessManager.Reject ] : [ authmod=adobe ] : ';
    const { port, asked } = await startServer([
      '[ AccessManager.Reject ] : [ code=403 need auth; authmod=adobe ] : ',
      `${reject}?reason=needauth&user=viewer&salt=abc&challenge=def&opaque=ghi`,
    ]);
    const stream = await openTestStream({
      kind: 'rtmp',
      url: `rtmp://viewer:secret@127.0.0.1:${port}/live/camera`,
    });
    onTestFinished(() => stream.close());
    await vi.waitUntil(() => asked.length === 3, { timeout: 60_000 });
    expect(asked[1]).toContain('?authmod=adobe&user=viewer');
    expect(asked[2]).toMatch(/&challenge=[^&]+&response=/);
    expect(asked.join('')).not.toContain('secret');
  },
);
