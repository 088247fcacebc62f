import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ask } from './fixtures/ask.js';
import { imageBytes, multipart } from './fixtures/bodies.js';
import { useServices } from './fixtures/use-services.js';

const start = useServices();

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

  test('is answered about its key before it has sent its body', async () => {
    const { sendRaw } = await start();
    const text = await sendRaw(
      'PUT /predict?api_key=no HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n',
      2000,
    );
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('is busy while the spool is full', async () => {
    const service = await start({ spoolMaxBytes: 1_000_000 });
    const ofOthers = await service.spool.createFile();
    ofOthers.reserve(700_000);
    const large = multipart([{ name: 'image', fileName: 'a', content: imageBytes(400_000) }]);
    const answer = await ask(`${service.base}/predict/image?apikey=${service.key}`, {
      method: 'POST',
      ...large,
    });
    expect([answer.status, answer.json.status, answer.headers['retry-after']]).toEqual([
      503,
      'Error (Service Busy)',
      '1',
    ]);
    await ofOthers.dispose();
    expect(await service.filesInSpool()).toEqual([]);
    expect(service.spool.bytesInUse).toBe(0);
    expect(await service.callsUsed()).toBe(0);
  });
});

test('a full disk is answered as such, logged, and is no fault of ours', async () => {
  const service = await start();
  service.runner.script = async () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  const answer = await ask(`${service.base}/predict?api_key=${service.key}`, {
    method: 'PUT',
    body: '{"base64str": "AAAA"}',
  });
  expect([answer.status, answer.json.status]).toEqual([503, -7]);
  expect(answer.json.error.message).toMatch(/^the disk of the service is full/);
  await sleep(20);
  expect(service.logLines.filter((line) => line.includes('ENOSPC'))).toHaveLength(1);
});

test('errors of ours are logged once under the request id, and no key is in any line', async () => {
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
