import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JobTrial, openJobTrial, untilAborted } from '../service/jobs/fixtures/job-trial.js';
import type { JobKind } from '../service/jobs/job.js';
import { seeJobThrough } from './see-job-through.js';

let trial: JobTrial;
beforeAll(async () => {
  trial = await openJobTrial();
});
afterAll(() => trial.close());

/** As a command does that is stopped at once. */
function stopAtOnce(kind: JobKind, id: string) {
  const { database, jobs, accountId } = trial;
  const onFailure = (error: unknown) => {
    throw error;
  };
  return seeJobThrough(
    { database, jobs, kind, onFailure, onProgress: () => undefined, signal: AbortSignal.abort() },
    accountId,
    id,
  );
}

test('a job that no service does is cancelled when its command is stopped before it began', async () => {
  const kind: JobKind = { kind: randomUUID(), maxAttempts: 3, concurrency: 1, run: async () => null };
  const id = await trial.insert(kind.kind, 'a');
  expect(await stopAtOnce(kind, id)).toMatchObject({ state: 'cancelled' });
});

test('a job that waits for a service which does another first stays', async () => {
  const kind: JobKind = {
    kind: randomUUID(),
    maxAttempts: 3,
    concurrency: 1,
    run: (_job, { signal }) => untilAborted(signal),
  };
  await trial.startService([kind]);
  const first = await trial.insert(kind.kind, 'a');
  await trial.until(first, ({ state }) => state === 'running');
  const id = await trial.insert(kind.kind, 'b');
  expect(await stopAtOnce(kind, id)).toMatchObject({ state: 'waiting' });
});
