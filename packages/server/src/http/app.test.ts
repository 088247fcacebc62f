import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError, type EngineErrorCode } from '@lynceus/engine';
import { request } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import type { found } from './fixtures/scripted-runner.js';
import {
  multipart,
  pictureBytes,
  startTestService,
  type TestService,
  type TestServiceOptions,
} from './fixtures/test-service.js';

const running: TestService[] = [];
async function start(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startTestService(options);
  running.push(service);
  return service;
}
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
});

const upload = multipart([{ name: 'image', fileName: 'a.jpg', content: pictureBytes(2000) }]);
async function ask(url: string, options: Parameters<typeof request>[1] = {}) {
  const answer = await request(url, options);
  const text = await answer.body.text();
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text,
    json: text === '' ? undefined : JSON.parse(text),
  };
}
const predictPaths = ['/predict', '/predict/image', '/predict/object_detection/'];

describe('every predict path', () => {
  test('answers a pre-flight without a key, and CORS headers stand on errors too', async () => {
    const { base } = await start();
    for (const path of predictPaths) {
      const flight = await ask(`${base}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://page.example',
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'content-type',
        },
      });
      expect(flight.status).toBe(204);
      expect(flight.headers['access-control-allow-origin']).toBe('*');
      expect(flight.headers['access-control-allow-methods']).toContain('PUT');
      expect(flight.headers['access-control-allow-headers']).toContain('content-type');
      const refused = await ask(`${base}${path}?apikey=no`, {
        method: 'POST',
        headers: { origin: 'https://page.example' },
      });
      expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, '*']);
      expect(refused.headers['access-control-allow-credentials']).toBeUndefined();
      expect(refused.headers['access-control-expose-headers']).toContain('X-File-Id');
    }
  });

  test('answers HEAD with 405, and it neither counts nor runs anything', async () => {
    const service = await start();
    for (const path of predictPaths) {
      const answer = await ask(`${service.base}${path}?apikey=${service.key}&url=http://127.0.0.1:1025/`, {
        method: 'HEAD',
      });
      expect(answer.status).toBe(405);
    }
    expect(await service.callsUsed()).toBe(0);
  });

  test('answers a wrong method with 405, Allow and the body of its generation', async () => {
    const { base } = await start();
    const v2 = await ask(`${base}/predict/`, { method: 'GET' });
    expect([v2.status, v2.headers['allow'], v2.json.status, v2.json.error.code]).toEqual([
      405,
      'PUT, POST, OPTIONS',
      -4,
      'method_not_allowed',
    ]);
    const v1 = await ask(`${base}/predict/image`, { method: 'PUT', body: 'x' });
    expect([v1.status, v1.json.status]).toEqual([405, 'Error (Method Not Allowed)']);
    expect((await ask(`${base}/predict/image`, { method: 'DELETE' })).status).toBe(405);
  });

  test('lies under the path prefix and nowhere else', async () => {
    const { base, port, key } = await start({ pathPrefix: '/vision/one' });
    expect((await ask(`${base}/predict/image?apikey=${key}`, { method: 'POST', ...upload })).status).toBe(
      200,
    );
    expect((await ask(`${base}/livez`)).status).toBe(200);
    const outside = await ask(`http://127.0.0.1:${port}/predict/image?apikey=${key}`, { method: 'POST' });
    expect(outside.status).toBe(404);
    expect((await ask(`${base}/predict`, { method: 'GET' })).json.status).toBe(-4);
  });
});

describe('a request that fits no route', () => {
  test('to an unknown path is 404 in the form of v1', async () => {
    const { base } = await start();
    for (const path of [
      '/',
      '/predict/faces',
      '/predict/other',
      '/apis',
      '/constructor',
      '/predict/image/x',
    ]) {
      const answer = await ask(`${base}${path}`, {
        method: 'POST',
        body: 'x',
        headers: { 'content-type': 'odd' },
      });
      expect([path, answer.status, answer.json.status, answer.json.error.code]).toEqual([
        path,
        404,
        'Error (Not Found)',
        'not_found',
      ]);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    }
  });

  test('with a raw space in its request line gets a JSON body with its 400', async () => {
    const { sendRaw } = await start();
    const text = await sendRaw(
      'GET /predict/image?url=http://a/b c.jpg&apikey=k HTTP/1.1\r\nHost: a\r\n\r\n',
    );
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/json; charset=utf-8\r\n/);
    expect(head).toContain(`Content-Length: ${body.length}`);
    expect(head).toContain('Access-Control-Allow-Origin: *');
    expect(JSON.parse(body)).toMatchObject({
      status: 'Error (Wrong Parameters)',
      error: { code: 'bad_request' },
    });
  });

  test('with headers too large or a path that is not valid percent-encoding gets a JSON body too', async () => {
    const { sendRaw } = await start();
    const large = await sendRaw(`GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(40_000)}\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1\.1 431 /);
    const path = await sendRaw('GET /%zz?apikey=k HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(path).toMatch(/^HTTP\/1\.1 400 /);
    expect(path).toContain('"code": "bad_request"');
  });
});

describe('errors', () => {
  const engineErrors: readonly [EngineErrorCode, number, string][] = [
    ['picture-empty', 400, 'Error (No File)'],
    ['picture-unsupported', 415, 'Error (Unsupported Image)'],
    ['picture-corrupt', 415, 'Error (Unsupported Image)'],
    ['picture-too-large', 413, 'Error (File Too Large)'],
    ['base64-invalid', 400, 'Error (Wrong Parameters)'],
    ['model-missing', 500, 'Error (Internal Error)'],
    ['busy', 503, 'Error (Service Busy)'],
    ['process-lost', 503, 'Error (Service Busy)'],
    ['timeout', 503, 'Error (Service Busy)'],
    ['internal', 500, 'Error (Internal Error)'],
  ];
  test('of the engine are told by their documented codes, give the call back and name no file of ours', async () => {
    const service = await start();
    for (const [code, http, status] of engineErrors) {
      service.runner.script = async () => {
        throw new EngineError(code, 'failed on /srv/secret/body-1');
      };
      const answer = await ask(`${service.base}/predict/image?apikey=${service.key}`, {
        method: 'POST',
        ...upload,
      });
      expect([code, answer.status, answer.json.status]).toEqual([code, http, status]);
      expect(answer.text).not.toContain('secret');
      expect(answer.headers['retry-after']).toBe(http === 503 ? '1' : undefined);
    }
    expect(await service.callsUsed()).toBe(0);
  });

  test('of ours are logged once under the request id, and no key is in any line', async () => {
    const service = await start();
    service.runner.script = async () => {
      throw new TypeError('a fault of ours');
    };
    const answer = await ask(`${service.base}/predict?api_key=${service.key}`, {
      method: 'PUT',
      body: '{"base64str": "AAAA"}',
    });
    expect([answer.status, answer.json.status, answer.json.status_description]).toEqual([
      500,
      0,
      'Error (Internal Error)',
    ]);
    await sleep(20);
    const lines = service.logLines.filter((line) => line.includes('a fault of ours'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(answer.json.error.request_id);
    expect(service.logLines.join('')).not.toContain(service.key);
    expect(service.logLines.some((line) => line.includes(`"keyId":${service.keyId}`))).toBe(true);
  });

  test('answer 200 when the setting asks for it, on the paths of v1 and v2 alone', async () => {
    const { base } = await start({ errorsAsOk: true });
    const v1 = await ask(`${base}/predict/image?apikey=no`, { method: 'POST' });
    expect([v1.status, v1.json.status]).toEqual([200, 'Error (Invalid API Key)']);
    const v2 = await ask(`${base}/predict?api_key=no`, { method: 'PUT', body: '{}' });
    expect([v2.status, v2.json.status]).toEqual([200, -1]);
    expect((await ask(`${base}/other`)).status).toBe(404);
  });
});

describe('a refused request', () => {
  test('with a large body still lets the client read why', async () => {
    const service = await start();
    const body = Buffer.alloc(20 * 1024 * 1024, 'a');
    const refused = await ask(`${service.base}/predict?api_key=no`, { method: 'PUT', body });
    expect([refused.status, refused.json.status]).toEqual([401, -1]);
    const large = await ask(`${service.base}/predict?api_key=${service.key}`, { method: 'PUT', body });
    expect([large.status, large.json.status]).toEqual([413, -6]);
    expect(service.runner.seen).toHaveLength(0);
  });

  test('is told of its key before it has sent its body', async () => {
    const { sendRaw } = await start();
    const text = await sendRaw('PUT /predict?api_key=no HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('is busy while the spool is full', async () => {
    const service = await start({ spoolMaxBytes: 600_000 });
    const large = multipart([{ name: 'image', fileName: 'a', content: pictureBytes(1_000_000) }]);
    const answer = await ask(`${service.base}/predict/image?apikey=${service.key}`, {
      method: 'POST',
      ...large,
    });
    expect([answer.status, answer.json.status, answer.headers['retry-after']]).toEqual([
      503,
      'Error (Service Busy)',
      '1',
    ]);
    expect(await service.filesInSpool()).toEqual([]);
    expect(service.spool.bytesInUse).toBe(0);
    expect(await service.callsUsed()).toBe(0);
  });
});

describe('time and leaving', () => {
  test('a body that does not arrive in time is 408, and nothing is left of it', async () => {
    const service = await start({ requestTimeoutMs: 300 });
    const head = `POST /predict/image?apikey=${service.key} HTTP/1.1\r\nHost: a\r\nContent-Type: image/jpeg\r\nContent-Length: 900000\r\n\r\n`;
    const text = await service.sendRaw(Buffer.concat([Buffer.from(head), Buffer.alloc(500_000, 0xff)]), 1000);
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(await service.filesInSpool()).toEqual([]);
    expect(await service.callsUsed()).toBe(0);
  });

  test('a job that takes too long is given up with 503', async () => {
    const service = await start({ requestTimeoutMs: 200 });
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
    const large = multipart([{ name: 'image', fileName: 'a', content: pictureBytes(900_000) }]);
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
      socket.write(pictureBytes(sent));
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
    const text = await sendRaw(good + bad + good);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401', 'HTTP/1.1 200']);
  });
});

test('/readyz is 503 until all is ready, /livez is 200 at once', async () => {
  let ready = false;
  const { base } = await start({ ready: () => ready });
  expect((await ask(`${base}/livez`)).status).toBe(200);
  const early = await ask(`${base}/readyz`);
  expect([early.status, early.json.parts[0].name]).toEqual([503, 'inference']);
  ready = true;
  expect((await ask(`${base}/readyz`)).status).toBe(200);
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
