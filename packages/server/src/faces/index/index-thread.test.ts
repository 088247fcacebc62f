import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { startIndexThread } from './index-thread.js';

const request = { kind: 'drop', gallery: 'any' } as const;

test('what is asked of a thread that is lost is answered busy, then and later', async () => {
  const started: Worker[] = [];
  process.once('worker', (worker: Worker) => started.push(worker));
  const crashes: Error[] = [];
  const thread = startIndexThread((error) => crashes.push(error));
  await yieldToEventLoop();
  const asked = thread.ask(request, 'a');
  const outcome = expect(asked).rejects.toMatchObject({ code: 'service_busy' });
  await started[0]?.terminate();
  await outcome;
  await expect(thread.ask(request, 'a')).rejects.toMatchObject({ code: 'service_busy' });
  expect(crashes).toHaveLength(1);
});

test('owners take turns: one that asks without end holds another up by what the thread has at once', async () => {
  const thread = startIndexThread(() => undefined);
  const faces = Array.from({ length: 2000 }, (_, at) => ({
    imageId: at,
    personId: at,
    vector: Float32Array.from({ length: 128 }, (_value, column) => Math.sin(at + column)),
  }));
  const ended: string[] = [];
  const asked = Array.from({ length: 50 }, () =>
    thread.ask({ kind: 'put', gallery: 'a', faces }, 'a').then(() => ended.push('a')),
  );
  for (let count = 0; count < 3; count += 1) {
    asked.push(thread.ask({ kind: 'drop', gallery: 'b' }, 'b').then(() => ended.push('b')));
  }
  await Promise.all(asked);
  expect(ended.lastIndexOf('b')).toBeLessThan(10);
  expect(ended).toHaveLength(53);
  await thread.close();
});

test('a thread that is closed is not reported as lost', async () => {
  const crashes: Error[] = [];
  const thread = startIndexThread((error) => crashes.push(error));
  await thread.ask(request, 'a');
  await thread.close();
  await expect(thread.ask(request, 'a')).rejects.toMatchObject({ code: 'service_busy' });
  expect(crashes).toEqual([]);
});
