import { once } from 'node:events';
import { connect } from 'node:net';
import { EngineError } from '@lynceus/engine';
import { describe, expect, test } from 'vitest';
import { ask, upload } from './fixtures/ask.js';
import { imageBytes, multipart } from './fixtures/bodies.js';
import type { found } from './fixtures/scripted-runner.js';
import { useServices } from './fixtures/use-services.js';

const start = useServices();

describe('time and leaving', () => {
  test('a body that does not arrive in time is 408, and nothing is left of it', async () => {
    const service = await start({ requestTimeoutMs: 300, graceMs: 500 });
    const head = `POST /predict/image?apikey=${service.key} HTTP/1.1\r\nHost: a\r\nContent-Type: image/jpeg\r\nContent-Length: 900000\r\n\r\n`;
    const text = await service.sendRaw(Buffer.concat([Buffer.from(head), Buffer.alloc(500_000, 0xff)]));
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(await service.filesInSpool()).toEqual([]);
    expect(await service.callsUsed()).toBe(0);
  });

  test('a job that takes too long is given up with 503', async () => {
    const service = await start({ requestTimeoutMs: 1000 });
    service.runner.script = untilAborted;
    const answer = await ask(`${service.base}/predict/image?apikey=${service.key}`, {
      method: 'POST',
      ...upload,
    });
    expect([answer.status, answer.json.status]).toEqual([503, 'Error (Service Busy)']);
    expect(await service.callsUsed()).toBe(0);
  });

  test('a client that leaves ends its job and gets its call back', async () => {
    const service = await start();
    const started = gate();
    const ended = gate();
    service.runner.script = async (signal) => {
      started.resolve();
      return untilAborted(signal).finally(ended.resolve);
    };
    const socket = connect(service.port, '127.0.0.1');
    const large = multipart([{ name: 'image', fileName: 'a', content: imageBytes(900_000) }]);
    socket.write(
      `POST /predict/image?apikey=${service.key} HTTP/1.1\r\nHost: a\r\nContent-Type: ${large.headers['content-type']}\r\nContent-Length: ${large.body.length}\r\n\r\n`,
    );
    socket.write(large.body);
    await started.promise;
    socket.destroy();
    await ended.promise;
    await expect.poll(() => service.filesInSpool()).toEqual([]);
    await expect.poll(() => service.callsUsed()).toBe(0);
  });

  test('a request whose client leaves is logged once, as 499, and an answered one is not', async () => {
    const service = await start();
    const requestLines = () =>
      service.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    const path = `/predict/image?apikey=${service.key}`;
    await ask(`${service.base}${path}`, { method: 'POST', ...upload });
    const started = gate();
    service.runner.script = (signal) => {
      started.resolve();
      return untilAborted(signal);
    };
    const leaving = [
      { length: 2000, sent: 2000 },
      { length: 900_000, sent: 600_000 },
    ].map(({ length, sent }) => {
      const socket = connect(service.port, '127.0.0.1');
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: image/png\r\nContent-Length: ${length}\r\n\r\n`,
      );
      socket.write(imageBytes(sent));
      return socket;
    });
    await started.promise;
    await expect.poll(() => service.filesInSpool()).toHaveLength(1);
    for (const socket of leaving) socket.destroy();
    await expect.poll(() => service.callsUsed()).toBe(1);
    await expect.poll(() => requestLines().map(({ status }) => status)).toEqual([200, 499, 499]);
    expect(requestLines().map(({ route, keyId }) => [route, keyId])).toEqual(
      Array(3).fill(['/predict/image', service.keyId]),
    );
  });

  test('a client that leaves in the middle of its body leaves no file behind', async () => {
    const service = await start();
    const socket = connect(service.port, '127.0.0.1');
    socket.write(
      `POST /predict/image?apikey=${service.key} HTTP/1.1\r\nHost: a\r\nContent-Type: image/png\r\nContent-Length: 900000\r\n\r\n`,
    );
    socket.write(Buffer.alloc(600_000));
    await expect.poll(() => service.filesInSpool()).toHaveLength(1);
    socket.destroy();
    await once(socket, 'close');
    await expect.poll(() => service.filesInSpool()).toEqual([]);
    await expect.poll(() => service.callsUsed()).toBe(0);
  });

  test('many requests on one connection are answered in turn, refused ones among them', async () => {
    const service = await start();
    const { sendRaw } = service;
    const good = `POST /predict/image?apikey=${service.key} HTTP/1.1\r\nHost: a\r\nContent-Type: image/png\r\nContent-Length: 4\r\n\r\nabcd`;
    const bad = 'PUT /predict?api_key=no HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd';
    const last = good.replace('Host: a', 'Host: a\r\nConnection: close');
    const text = await sendRaw(good + bad + last);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401', 'HTTP/1.1 200']);
  });
});

function untilAborted(signal: AbortSignal | undefined): Promise<typeof found> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new EngineError('aborted', 'aborted')), { once: true });
  });
}

function gate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
