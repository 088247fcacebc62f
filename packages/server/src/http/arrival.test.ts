import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { useServices } from './fixtures/use-services.js';

const start = useServices();

test('a body that stops arriving is 408 in the time of its own route, however long an import may take', async () => {
  const service = await start({ requestTimeoutMs: 300, importTimeoutMs: 600_000, graceMs: 500 });
  const socket = connect(service.port, '127.0.0.1');
  socket.write(
    `POST /api/perceptions?api_key=${service.key} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"name":`,
  );
  const answer = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
  socket.destroy();
}, 300_000);

test('a body that drips on after its answer is cut within seconds', async () => {
  const service = await start({ requestTimeoutMs: 300, graceMs: 500 });
  const socket = connect(service.port, '127.0.0.1');
  // A write to the cut connection fails, which is an end as good as any.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const startedMs = performance.now();
  socket.write(
    `POST /predict/image?apikey=${service.key} HTTP/1.1\r\nHost: a\r\nContent-Type: image/jpeg\r\nContent-Length: 900\r\n\r\n`,
  );
  const drip = setInterval(() => socket.writable && socket.write('a'), 200);
  const answer = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
  socket.resume();
  await closed.finally(() => clearInterval(drip));
  // Without an end it would drip for three minutes.
  expect(performance.now() - startedMs).toBeLessThan(60_000);
}, 300_000);
