import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { colourOnnx, greedyOnnx } from '../training/models/fixtures/tiny-onnx.js';
import {
  colours,
  key,
  type ModelService,
  paint,
  startModelService,
  unscaled,
  withImage,
} from './fixtures/model-service.js';

const mebibyte = 2 ** 20;
const timeout = 300_000;
const limitBytes = 600 * mebibyte;
const white = paint(255, 255, 255);
const grey = paint(100, 100, 100);

let service: ModelService;
let greedyId: number;
const used = async () => (await service.send('GET', '/api/account')).json;
beforeAll(async () => {
  service = await startModelService({
    LYNCEUS_CUSTOM_INFERENCE_MAX_BYTES: String(limitBytes),
    // On a busy machine a process may take half a minute until it has the memory.
    LYNCEUS_CUSTOM_INFERENCE_TIMEOUT_MS: String(timeout / 2),
    LYNCEUS_REQUEST_TIMEOUT_MS: String(timeout / 2),
    LYNCEUS_CUSTOM_INFERENCE_PROCESSES: '2',
    LYNCEUS_CUSTOM_INFERENCE_PROCESSES_PER_ACCOUNT: '1',
  });
  greedyId = await service.make('classification');
  const made = await service.upload(greedyId, greedyOnnx(3000 * mebibyte), {
    labels: ['a', 'b'],
    input: unscaled,
  });
  expect(made.status).toBe(201);
}, timeout);
afterAll(() => service.close());

/** Resident bytes of the processes below the service, the oldest first: their numbers begin again from the least. */
function memoryBelow(pid: number): { pid: number; bytes: number }[] {
  const children = execFileSync('ps', ['-o', 'pid=', '--sort=start_time', '--ppid', String(pid)], {
    encoding: 'utf8',
  })
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [Number(line)]));
  return children.flatMap((child) => {
    try {
      const [, kibibytes] = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${child}/status`, 'latin1')) ?? [];
      return [{ pid: child, bytes: Number(kibibytes ?? 0) * 1024 }];
    } catch {
      // It ended in between; `ps` itself is among them.
      return [];
    }
  });
}

/** The most that any process had while the work was done. */
async function peakBytes(work: Promise<unknown>): Promise<number> {
  let [peak, isOver] = [0, false];
  const ended = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    peak = Math.max(peak, ...memoryBelow(service.pid).map(({ bytes }) => bytes));
    await sleep(20);
  }
  await ended;
  return peak;
}

describe('a custom model whose memory follows from the image', { timeout }, () => {
  test('answers where it takes little', async () => {
    const { status, json } = await service.recognise(greedyId, grey);
    expect([status, json.predictions?.[0]?.class_title]).toEqual([200, 'b']);
  });

  test('is ended above its limit, with an error by which the caller knows why, and its memory is back', async () => {
    const answer = service.recognise(greedyId, white);
    const peak = await peakBytes(answer);
    const { status, headers, json } = await answer;
    expect({ status, retryAfter: headers.get('retry-after'), json }).toMatchObject({
      status: 503,
      retryAfter: '60',
      json: {
        status: 'Error (Service Busy)',
        error: { code: 'model_too_large', message: expect.stringContaining('more memory') },
      },
    });
    // All of its 3000 MiB would have come before the answer.
    expect(peak).toBeLessThan(2500 * mebibyte);
    await vi.waitUntil(() => memoryBelow(service.pid).every(({ bytes }) => bytes < limitBytes), { timeout });
  });

  test('answers v2 the same', async () => {
    const { status, json } = await service.send('PUT', '/predict', {
      model_id: greedyId,
      base64str: white.toString('base64'),
    });
    expect(status).toBe(503);
    expect(json).toMatchObject({ status: -7, error: { code: 'model_too_large' } });
  });

  test('leaves other models and the built-in processes at work, and counts no call', async () => {
    const other = await service.make('classification');
    expect((await service.upload(other, colourOnnx(), colours)).status).toBe(201);
    const preview = () =>
      fetch(`${service.base}/api/preview`, {
        method: 'POST',
        headers: { 'x-api-key': key },
        body: withImage(white),
      });
    const before = await used();
    const [builtin] = memoryBelow(service.pid);
    const [greedy, ...previews] = await Promise.all([
      service.recognise(greedyId, white),
      ...Array.from({ length: 5 }, preview),
    ]);
    expect(greedy.status).toBe(503);
    expect(previews.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await used()).toEqual(before);
    const { status, json } = await service.recognise(other, paint(0, 255, 0));
    expect([status, json.predictions?.[0]?.class_title]).toEqual([200, 'green']);
    // That of the built-in models is the first, and the one it was.
    expect(memoryBelow(service.pid)[0]?.pid).toBe(builtin?.pid);
  });
});
