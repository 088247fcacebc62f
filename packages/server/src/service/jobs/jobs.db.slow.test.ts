import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type JobTrial, openJobTrial, untilAborted } from './fixtures/job-trial.js';
import { type Job, JobFailure, type JobKind } from './job.js';

let trial: JobTrial;
beforeAll(async () => {
  trial = await openJobTrial();
});
afterAll(() => trial.close());

const hasEnded = ({ endedAt }: Job) => endedAt !== null;
const isRunning = ({ state }: Job) => state === 'running';

function kindOf(run: JobKind['run'], other: Partial<JobKind> = {}): JobKind {
  return { kind: randomUUID(), maxAttempts: 3, concurrency: 1, run, ...other };
}

describe('a job', () => {
  test('is done once, with what it was given, and keeps its result', async () => {
    let runs = 0;
    const kind = kindOf(async ({ payload }) => {
      runs += 1;
      return { doubled: Number(payload) * 2 };
    });
    const id = await trial.insert(kind.kind, 'a', 21);
    expect(await trial.jobs.read(trial.accountId, id)).toMatchObject({ state: 'waiting', result: null });
    await Promise.all([trial.startService([kind]), trial.startService([kind]), trial.startService([kind])]);
    const job = await trial.until(id, hasEnded);
    expect(job).toMatchObject({ state: 'done', result: { doubled: 42 }, error: null });
    expect(runs).toBe(1);
  });

  test('is one at a time on a subject, and may be asked for again afterwards', async () => {
    const kind = kindOf(async () => 'done');
    const first = await trial.insert(kind.kind, 'b');
    await expect(trial.insert(kind.kind, 'b')).rejects.toMatchObject({ code: 'unique' });
    await trial.startService([kind]);
    await trial.until(first, hasEnded);
    const second = await trial.insert(kind.kind, 'b');
    await trial.until(second, hasEnded);
    expect(await trial.jobs.latest(trial.accountId, kind.kind, 'b')).toMatchObject({ id: second });
    expect(await trial.jobs.latest(trial.accountId, kind.kind, 'c')).toBeNull();
    const page = await trial.jobs.list(
      trial.accountId,
      { kind: kind.kind, subject: 'b' },
      { limit: 1, after: undefined },
    );
    expect(page.items.map(({ id }) => id)).toEqual([second]);
    const rest = await trial.jobs.list(
      trial.accountId,
      { kind: kind.kind, subject: 'b' },
      { limit: 5, after: page.next ?? undefined },
    );
    expect(rest.items.map(({ id }) => id)).toEqual([first]);
  });

  test('no more of a kind run at once than the kind allows', async () => {
    let [now, most] = [0, 0];
    const kind = kindOf(
      async () => {
        now += 1;
        most = Math.max(most, now);
        // Each waits until as many run as may, and then gives one more the time to begin.
        await vi.waitUntil(() => most >= 2, { timeout: 120_000 });
        await new Promise((resolve) => setTimeout(resolve, 20));
        now -= 1;
      },
      { concurrency: 2 },
    );
    const ids = await Promise.all(Array.from({ length: 6 }, () => trial.insert(kind.kind)));
    await trial.startService([kind]);
    await Promise.all(ids.map((id) => trial.until(id, hasEnded)));
    expect(most).toBe(2);
  });

  test('tells how far it is while it runs', async () => {
    const kind = kindOf(async (_job, { signal, progress }) => {
      progress({ stage: 'counting', done: 3, total: 7 });
      await untilAborted(signal);
    });
    const id = await trial.insert(kind.kind);
    await trial.startService([kind]);
    const job = await trial.until(id, ({ progress }) => progress.done > 0);
    expect(job.progress).toEqual({ stage: 'counting', done: 3, total: 7, secondsLeft: null });
    await trial.jobs.cancel(trial.accountId, id);
    await trial.until(id, hasEnded);
  });

  test('tells whole steps, and is not lost, where its work counts in fractions', async () => {
    const kind = kindOf(async (_job, { signal, progress }) => {
      progress({ stage: 'training', done: 3.42, total: 6.2, secondsLeft: 1.5 });
      await untilAborted(signal);
    });
    const id = await trial.insert(kind.kind);
    await trial.startService([kind]);
    const job = await trial.until(id, ({ progress }) => progress.done > 0);
    expect(job.progress).toEqual({ stage: 'training', done: 3, total: 7, secondsLeft: 2 });
    await trial.jobs.cancel(trial.accountId, id);
    await trial.until(id, hasEnded);
  });

  test('that is cancelled while services look for work is either never begun or ends', async () => {
    const kind = kindOf((_job, { signal }) => untilAborted(signal), { concurrency: 50 });
    const services = await Promise.all([trial.startService([kind]), trial.startService([kind])]);
    const jobs = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const id = await trial.insert(kind.kind);
        for (const service of services) service.wake();
        await trial.jobs.cancel(trial.accountId, id);
        return trial.until(id, hasEnded);
      }),
    );
    expect(jobs.filter(({ state }) => state !== 'cancelled')).toEqual([]);
  });

  test('whose service died is cancelled at once when its lease is over', async () => {
    const kind = kindOf(async () => 'done');
    const id = await trial.insert(kind.kind);
    await trial.takeAndDie(kind.kind, 5000);
    expect(await trial.jobs.cancel(trial.accountId, id)).toMatchObject({ state: 'running' });
    const cancel = () => trial.jobs.cancel(trial.accountId, id);
    await vi.waitUntil(async () => (await cancel()).state === 'cancelled', { timeout: 120_000 });
  });

  test('of another account is not found', async () => {
    const id = await trial.insert('nobody-does-this');
    for (const ask of [trial.jobs.read, trial.jobs.cancel]) {
      await expect(ask(trial.accountId + 1, id)).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await trial.jobs.cancel(trial.accountId, id)).toMatchObject({ state: 'cancelled' });
  });
});

describe('a job that goes wrong', () => {
  test('is tried again, and done when that goes well', async () => {
    let runs = 0;
    const kind = kindOf(async () => {
      runs += 1;
      if (runs < 2) throw new Error('the disk was full');
    });
    const id = await trial.insert(kind.kind);
    await trial.startService([kind]);
    const between = await trial.until(id, ({ error }) => error !== null);
    expect(between).toMatchObject({ state: 'waiting', error: 'the disk was full' });
    expect(await trial.until(id, hasEnded)).toMatchObject({ state: 'done', error: null });
    expect(runs).toBe(2);
  });

  test('fails with its reason when it has no attempt left', async () => {
    const kind = kindOf(() => Promise.reject(new Error('no good')), { maxAttempts: 1 });
    const id = await trial.insert(kind.kind);
    await trial.startService([kind]);
    expect(await trial.until(id, hasEnded)).toMatchObject({ state: 'failed', error: 'no good' });
  });

  test('fails at once where trying again is of no use', async () => {
    let runs = 0;
    const kind = kindOf(async () => {
      runs += 1;
      throw new JobFailure('too few images');
    });
    const id = await trial.insert(kind.kind);
    await trial.startService([kind]);
    expect(await trial.until(id, hasEnded)).toMatchObject({ state: 'failed', error: 'too few images' });
    expect(runs).toBe(1);
  });

  test('has all its attempts again when something of its work was kept', async () => {
    let runs = 0;
    const kind = kindOf(
      async (_job, { progress }) => {
        runs += 1;
        progress({ stage: null, done: runs, total: 3 }, true);
        if (runs < 3) throw new Error('cut');
      },
      { maxAttempts: 1 },
    );
    const id = await trial.insert(kind.kind);
    await trial.startService([kind]);
    expect(await trial.until(id, hasEnded)).toMatchObject({ state: 'done' });
    expect(runs).toBe(3);
  });
});

describe('a job whose service ends', () => {
  test('is taken over when the lease of the dead one ends', async () => {
    const kind = kindOf(async () => 'done');
    const id = await trial.insert(kind.kind);
    await trial.takeAndDie(kind.kind, 300);
    await trial.startService([kind]);
    expect(await trial.jobs.read(trial.accountId, id)).toMatchObject({ state: 'running' });
    expect(await trial.until(id, hasEnded)).toMatchObject({ state: 'done' });
  });

  test('is taken over at once by the next start of a service that is alone', async () => {
    const kind = kindOf(async () => 'done');
    const id = await trial.insert(kind.kind);
    await trial.takeAndDie(kind.kind, 3_600_000);
    await trial.startService([kind], { isAlone: true });
    expect(await trial.until(id, hasEnded)).toMatchObject({ state: 'done' });
  });

  test('fails when it took the service down as often as it may be tried', async () => {
    const kind = kindOf(async () => 'done', { maxAttempts: 2 });
    const id = await trial.insert(kind.kind);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await trial.takeAndDie(kind.kind, 1);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await trial.startService([kind]);
    const job = await trial.until(id, hasEnded);
    expect(job).toMatchObject({ state: 'failed', error: expect.stringContaining('2 attempts') });
  });

  test('waits for the next one when it stops in order, however often, and costs no attempt', async () => {
    const stopping = kindOf((_job, { signal }) => untilAborted(signal), { maxAttempts: 1 });
    const id = await trial.insert(stopping.kind);
    for (let start = 0; start < 3; start += 1) {
      const service = await trial.startService([stopping]);
      await trial.until(id, isRunning);
      await service.drain?.(AbortSignal.timeout(5000));
      expect(await trial.jobs.read(trial.accountId, id)).toMatchObject({ state: 'waiting', error: null });
    }
    await trial.startService([{ ...stopping, run: async () => 'done' }]);
    expect(await trial.until(id, hasEnded)).toMatchObject({ state: 'done' });
  });

  test('is kept by a living one, however long it takes', async () => {
    let runs = 0;
    const kind = kindOf(async () => {
      runs += 1;
      await new Promise((resolve) => setTimeout(resolve, 1700));
    });
    const id = await trial.insert(kind.kind);
    await trial.startService([kind], { leaseMs: 800 });
    await trial.startService([kind], { leaseMs: 800 });
    expect(await trial.until(id, hasEnded)).toMatchObject({ state: 'done' });
    expect(runs).toBe(1);
  });

  test('is given up when another has taken it meanwhile', async () => {
    let isAborted = false;
    const kind = kindOf(async (_job, { signal, progress }) => {
      for (let done = 1; !signal.aborted; done += 1) {
        progress({ stage: null, done, total: null });
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      isAborted = true;
    });
    const id = await trial.insert(kind.kind);
    await trial.startService([kind]);
    await trial.until(id, ({ progress }) => progress.done > 0);
    await trial.database.write([
      trial.database.query.updateTable('job').set({ lease_owner: 'another' }).where('id', '=', id),
    ]);
    await expect.poll(() => isAborted).toBe(true);
    expect(await trial.jobs.read(trial.accountId, id)).toMatchObject({ state: 'running', endedAt: null });
  });
});
