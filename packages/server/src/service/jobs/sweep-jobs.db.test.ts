import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type JobTrial, openJobTrial } from './fixtures/job-trial.js';
import { sweepEndedJobs } from './sweep-jobs.js';

let trial: JobTrial;
beforeEach(async () => {
  trial = await openJobTrial();
});
afterEach(() => trial.close());

const dayMs = 86_400_000;

async function insertEnded(count: number, endedAt: (index: number) => number): Promise<void> {
  const { database, accountId } = trial;
  const rows = Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    account_id: accountId,
    kind: 'work',
    subject: String(index),
    payload: 'null',
    state: 'done' as const,
    due_at: 0,
    created_at: 0,
    ended_at: endedAt(index),
  }));
  for (let at = 0; at < count; at += 400) {
    await database.write([database.query.insertInto('job').values(rows.slice(at, at + 400))]);
  }
}
const subjects = async () => {
  const rows = await trial.database.query.selectFrom('job').select('subject').execute();
  return rows.map(({ subject }) => Number(subject)).sort((a, b) => a - b);
};

test('an account keeps the newest thousand jobs that ended, and all that have not', async () => {
  const now = 100 * dayMs;
  await insertEnded(1600, (index) => now - 1600 + index);
  await trial.insert('work', '5000');
  expect(await sweepEndedJobs(trial.database, now)).toBe(600);
  expect(await subjects()).toEqual([...Array.from({ length: 1000 }, (_, index) => 600 + index), 5000]);
  expect(await sweepEndedJobs(trial.database, now)).toBe(0);
});

test('jobs that ended ninety days ago go, however few there are', async () => {
  const now = 200 * dayMs;
  await insertEnded(4, (index) => now - (88 + index) * dayMs);
  expect(await sweepEndedJobs(trial.database, now)).toBe(2);
  expect(await subjects()).toEqual([0, 1]);
});
