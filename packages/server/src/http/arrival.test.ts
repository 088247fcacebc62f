import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { useServices } from './fixtures/use-services.js';

const start = useServices();

test('a body that stops arriving is 408 in the time of its own route, however long an import may take', async () => {
  const service = await start({ requestTimeoutMs: 300, importTimeoutMs: 600_000 });
  const socket = connect(service.port, '127.0.0.1');
  socket.write(
    `POST /api/perceptions?api_key=${service.key} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"name":`,
  );
  const answer = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
  socket.destroy();
}, 20_000);
