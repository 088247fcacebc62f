import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StorageError } from '../../storage/storage-error.js';
import { type JobTrial, openJobTrial } from './fixtures/job-trial.js';
import type { JobKind } from './job.js';

let trial: JobTrial;
beforeAll(async () => {
  trial = await openJobTrial();
});
afterAll(() => trial.close());

const echo = (kind: string, more: Partial<JobKind> = {}): JobKind => ({
  kind,
  maxAttempts: 2,
  concurrency: 1,
  run: async ({ payload }) => payload,
  ...more,
});
/** Reads what version 1 called `name` as `names`. */
const second = {
  version: 2,
  upgrade: (payload: unknown, from: number) => ({ names: payload, from }),
} as const;
async function insert(kind: string, payload: unknown, payloadVersion?: number): Promise<string> {
  const job = { kind, subject: randomUUID(), payload, ...(payloadVersion ? { payloadVersion } : {}) };
  const { id, statement } = trial.jobs.insert(trial.accountId, job);
  await trial.database.write([statement]);
  return id;
}
const hasEnded = ({ endedAt }: { readonly endedAt: number | null }) => endedAt !== null;

test('a job of a newer version waits for a service that knows it, and others of its account are done meanwhile', async () => {
  const kind = randomUUID();
  const newer = await insert(kind, { names: ['a'] }, 2);
  const older = await insert(kind, 'b');
  await trial.startService([echo(kind)]);
  expect(await trial.until(older, hasEnded)).toMatchObject({ state: 'done', result: 'b' });
  expect(await trial.jobs.read(trial.accountId, newer)).toMatchObject({ state: 'waiting', error: null });
  await trial.startService([echo(kind, { payload: second })]);
  expect(await trial.until(newer, hasEnded)).toMatchObject({ state: 'done', result: { names: ['a'] } });
});

test('a job of an older version is read as one of this version', async () => {
  const kind = randomUUID();
  const id = await insert(kind, 'c');
  await trial.startService([echo(kind, { payload: second })]);
  expect(await trial.until(id, hasEnded)).toMatchObject({ state: 'done', result: { names: 'c', from: 1 } });
});

test('a job whose object store is away is put back without an attempt less, and can be cancelled', async () => {
  const kind = randomUUID();
  const away = new StorageError('away', 'The bucket cannot be reached.');
  await trial.startService([
    echo(kind, {
      maxAttempts: 1,
      // As kinds hide words that name what is ours.
      run: () => Promise.reject(new Error('the service failed at it', { cause: away })),
    }),
  ]);
  const id = await insert(kind, null);
  const job = await trial.until(id, ({ error }) => error !== null);
  expect(job).toMatchObject({
    state: 'waiting',
    error: expect.stringMatching(/object store cannot be reached/),
  });
  const { query } = trial.database;
  const row = await query.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ attempts: 0, lease_owner: null });
  expect(row.due_at).toBeGreaterThan(row.created_at);
  expect(await trial.jobs.cancel(trial.accountId, id)).toMatchObject({ state: 'cancelled' });
});
