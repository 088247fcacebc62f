import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { imageBytes, multipart } from './fixtures/bodies.js';
import { holdBody } from './fixtures/held-body.js';
import { startTestService, type TestService } from './fixtures/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ spoolMaxBytes: 4_000_000 });
});
afterAll(() => service.stop());

/** A request whose every byte is a chunk of its own; answers its status. */
function sendByteByByte(line: string, type: string, body: Buffer): Promise<number> {
  const { port } = new URL(service.base);
  const head = [
    `${line} HTTP/1.1`,
    ...['Host: lynceus', `X-API-Key: ${service.key}`, `Content-Type: ${type}`],
    ...['Transfer-Encoding: chunked', 'Connection: close', '', ''],
  ].join('\r\n');
  const chunks = Buffer.alloc(body.length * 6);
  for (const [at, byte] of body.entries()) chunks.set([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a], at * 6);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString('latin1');
    });
    socket.on('error', reject).on('end', () => resolve(Number(answer.slice(9, 12))));
    socket.write(head);
    socket.write(chunks);
    socket.write('0\r\n\r\n');
  });
}

test.each([
  ['POST /predict/image', 'image/jpeg', () => imageBytes(400_000)],
  [
    'PUT /predict',
    'application/json',
    () => Buffer.from(JSON.stringify({ base64str: imageBytes(400_000).toString('base64') })),
  ],
] as const)('%s with a chunk for each byte is answered like any other', async (line, type, body) => {
  expect(await sendByteByByte(line, type, body())).toBe(200);
  expect(service.spool.bytesInUse).toBe(0);
});

test('a form with a chunk for each byte is answered like any other', async () => {
  const { body, headers } = multipart([{ name: 'image', fileName: 'a.jpg', content: imageBytes(100_000) }]);
  expect(await sendByteByByte('POST /predict/image', headers['content-type'] ?? '', Buffer.from(body))).toBe(
    200,
  );
});

test('bytes of a body that are still held in memory count in the budget, and come back', async () => {
  const body = JSON.stringify({ base64str: imageBytes(700_000).toString('base64') });
  const held = await holdBody(service, '/predict', {
    method: 'PUT',
    body,
    headers: { 'x-api-key': service.key },
  });
  await expect.poll(() => service.spool.bytesInUse, { timeout: 60_000 }).toBeGreaterThan(900_000);
  expect((await held.finish()).status).toBe(200);
  await expect.poll(() => service.spool.bytesInUse, { timeout: 60_000 }).toBe(0);
});
