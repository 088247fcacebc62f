import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDiskGuard } from '../../storage/disk-guard.js';
import { StorageError } from '../../storage/storage-error.js';
import { type JobTrial, openJobTrial } from './fixtures/job-trial.js';
import { type Job, JobFailure, type JobKind, type JobRole } from './job.js';

let trial: JobTrial;
beforeAll(async () => {
  trial = await openJobTrial();
});
afterAll(() => trial.close());

const hasEnded = ({ endedAt }: Job) => endedAt !== null;
const attemptsOf = async (id: string) =>
  (await trial.database.query.selectFrom('job').select('attempts').where('id', '=', id).executeTakeFirst())
    ?.attempts;

/** A kind that is done where its disk has room, and how often it was begun there. */
function kindOn(name: string, freeBytes: () => number, role?: JobRole) {
  const disk = createDiskGuard({ dir: '/', reserveBytes: 1000, readFreeBytes: async () => freeBytes() });
  const begun = { times: 0 };
  const kind: JobKind = {
    ...{ kind: name, maxAttempts: 2, concurrency: 1 },
    ...(role && { role }),
    async run() {
      begun.times += 1;
      try {
        await disk.require();
      } catch (error) {
        // As kinds do with what trying again here does not help.
        throw new JobFailure(error instanceof Error ? error.message : '', { cause: error });
      }
      return 'done';
    },
  };
  return { kind, begun };
}

test('a job without room on the disk of one service is done by another, and lost no attempt', async () => {
  const name = randomUUID();
  const [full, roomy] = [kindOn(name, () => 0), kindOn(name, () => 2000)];
  const asked: JobRole[] = [];
  await trial.startService([full.kind], {
    hasOther: async (role) => {
      asked.push(role);
      return true;
    },
  });
  const id = await trial.insert(name);
  const waiting = await trial.until(id, ({ error }) => error !== null);
  expect(waiting).toMatchObject({
    state: 'waiting',
    error: expect.stringMatching(/too little room.*another/),
  });
  expect(await attemptsOf(id)).toBe(0);
  await trial.startService([roomy.kind]);
  expect(await trial.until(id, hasEnded)).toMatchObject({ state: 'done', error: null });
  expect([full.begun.times, roomy.begun.times, asked]).toEqual([1, 1, ['jobs']]);
});

test('while all have no room it waits, for more attempts than it has, and is done where there is room first', async () => {
  const name = randomUUID();
  let free = 0;
  const here = kindOn(name, () => free, 'training');
  await trial.startService([here.kind], {
    hasOther: async (role) => role === 'training',
    fullDiskRestMs: 10,
  });
  const id = await trial.insert(name);
  await trial.until(id, () => here.begun.times > 2 * here.kind.maxAttempts);
  free = 2000;
  expect(await trial.until(id, hasEnded)).toMatchObject({ state: 'done' });
});

const [some, none] = [async () => true, async () => false];

test.each([
  ['no other service has the role', { hasOther: none }, null],
  ['the service is alone on its database', { isAlone: true, hasOther: some }, null],
  ['its files are in the data folder of the service', { hasOther: some }, 'some folder'],
])('where %s it fails with what to do', async (_where, options, folderUid) => {
  const { kind, begun } = kindOn(randomUUID(), () => 0);
  await trial.startService([kind], options);
  const id = await trial.insert(kind.kind, randomUUID(), null, trial.accountId, folderUid);
  expect(await trial.until(id, hasEnded)).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/too little room.*diskReserveBytes/),
  });
  expect(begun.times).toBe(1);
});

test('a kind that waits for room is begun again until there is some, also where no other service has its role', async () => {
  let free = 0;
  const { kind, begun } = kindOn(randomUUID(), () => free);
  await trial.startService([{ ...kind, waitsForRoom: true }], { hasOther: none, fullDiskRestMs: 10 });
  const id = await trial.insert(kind.kind);
  const waiting = await trial.until(id, () => begun.times > 2 * kind.maxAttempts);
  expect(waiting.error).toMatch(/too little room.*waits.*diskReserveBytes/);
  expect(await attemptsOf(id)).toBeLessThan(2);
  free = 2000;
  expect(await trial.until(id, hasEnded)).toMatchObject({ state: 'done', error: null });
});

test('a full disk of the database server, which is that of all, costs attempts', async () => {
  let times = 0;
  const kind: JobKind = {
    ...{ kind: randomUUID(), maxAttempts: 1, concurrency: 1 },
    run: async () => {
      times += 1;
      throw new StorageError('full', 'The disk under the database is full.');
    },
  };
  await trial.startService([kind], { hasOther: some });
  expect(await trial.until(await trial.insert(kind.kind), hasEnded)).toMatchObject({ state: 'failed' });
  expect(times).toBe(1);
});

test('where the other services cannot be asked for, the job is not given up', async () => {
  const { kind } = kindOn(randomUUID(), () => 0);
  const hasOther = async (): Promise<never> => {
    throw new StorageError('busy', 'the database is away');
  };
  await trial.startService([kind], { hasOther });
  const job = await trial.until(await trial.insert(kind.kind), ({ error }) => error !== null);
  expect(job.state).toBe('waiting');
});
