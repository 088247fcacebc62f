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
  const asked = thread.ask(request);
  const outcome = expect(asked).rejects.toMatchObject({ code: 'service_busy' });
  await started[0]?.terminate();
  await outcome;
  await expect(thread.ask(request)).rejects.toMatchObject({ code: 'service_busy' });
  expect(crashes).toHaveLength(1);
});

test('a thread that is closed is not reported as lost', async () => {
  const crashes: Error[] = [];
  const thread = startIndexThread((error) => crashes.push(error));
  await thread.ask(request);
  await thread.close();
  await expect(thread.ask(request)).rejects.toMatchObject({ code: 'service_busy' });
  expect(crashes).toEqual([]);
});
