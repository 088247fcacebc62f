import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JobTrial, openJobTrial } from './fixtures/job-trial.js';
import type { JobKind } from './job.js';

let trial: JobTrial;
beforeAll(async () => {
  trial = await openJobTrial();
});
afterAll(() => trial.close());

test('a lease that cannot be renewed holds up no other, and what its job kept is not forgotten', async () => {
  const renewed: [id: string, isKept: boolean][] = [];
  let failing = '';
  let isFailing = true;
  const kind: JobKind = {
    ...{ kind: randomUUID(), maxAttempts: 1, concurrency: 2 },
    async run(job, { progress, signal }) {
      progress({ stage: 'at work', done: 1, total: 2, secondsLeft: null }, job.id === failing);
      while (isFailing && !signal.aborted) await sleep(10);
      return 'done';
    },
  };
  const first = await trial.insert(kind.kind);
  failing = first;
  const second = await trial.insert(kind.kind);
  await trial.startService([kind], {
    wrapLeases: (leases) => ({
      ...leases,
      async renew(lease, progress, isKept) {
        if (isFailing && lease.id === failing) throw new Error('the database does not answer');
        renewed.push([lease.id, isKept]);
        return leases.renew(lease, progress, isKept);
      },
    }),
  });
  await trial.until(second, ({ progress }) => progress.done === 1);
  expect(renewed.some(([id]) => id === first)).toBe(false);
  expect(trial.failures).toContainEqual(new Error('the database does not answer'));
  isFailing = false;
  await trial.until(first, ({ state }) => state === 'done');
  expect(renewed).toContainEqual([first, true]);
});
