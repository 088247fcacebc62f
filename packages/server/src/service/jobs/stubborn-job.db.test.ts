import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLifecycle } from '../../core/lifecycle.js';
import { type JobTrial, openJobTrial } from './fixtures/job-trial.js';
import type { JobKind } from './job.js';

let trial: JobTrial;
beforeEach(async () => {
  trial = await openJobTrial();
});
afterEach(() => trial.close());

test('a job that ignores its signal holds up no stop, and another service takes it up', async () => {
  let release = () => {};
  const stubborn = new Promise<void>((resolve) => {
    release = resolve;
  });
  const kind = { kind: 'stubborn', maxAttempts: 3, concurrency: 1 };
  const id = await trial.insert(kind.kind);
  const jobs = await trial.startService([{ ...kind, run: () => stubborn } satisfies JobKind], {
    leaseMs: 500,
  });
  const lifecycle = createLifecycle({
    components: [{ ...jobs, start: async () => {} }],
    ...{ drainTimeoutMs: 100, stopWithinMs: 1000 },
    onStopFailure: (_component, error) => expect.unreachable(String(error)),
  });
  await lifecycle.start();
  await trial.until(id, ({ state }) => state === 'running');
  await lifecycle.stop();

  await trial.startService([{ ...kind, run: async () => 'from the start' } satisfies JobKind]);
  expect((await trial.until(id, ({ state }) => state === 'done')).result).toBe('from the start');
  release();
});
