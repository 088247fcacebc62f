import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLeaseOwner } from '../../storage/leases/lease-owner.js';
import { type JobTrial, openJobTrial, untilAborted } from './fixtures/job-trial.js';
import type { JobKind } from './job.js';
import { createLeases } from './leases.js';

let trial: JobTrial;
beforeEach(async () => {
  trial = await openJobTrial();
});
afterEach(() => trial.close());

/** Keeps the accounts of the jobs that were begun, in their order. */
function recordingKind(other: Partial<JobKind> = {}) {
  const begun: number[] = [];
  const kind: JobKind = {
    kind: randomUUID(),
    maxAttempts: 3,
    concurrency: 1,
    run: async ({ accountId }) => begun.push(accountId),
    ...other,
  };
  return { kind, begun };
}
const leases = () =>
  createLeases({ ...trial, clock: Date.now, owner: createLeaseOwner(''), leaseMs: 30_000 });

describe('accounts', () => {
  test('take turns: a job behind 200 of another account is begun among the next few', async () => {
    const { kind, begun } = recordingKind();
    const [one, two] = [trial.accountId, await trial.addAccount('two')];
    for (let index = 0; index < 200; index += 1) await trial.insert(kind.kind, undefined, null, one);
    await trial.insert(kind.kind, undefined, null, two);
    await trial.startService([kind]);
    await vi.waitUntil(() => begun.includes(two), { timeout: 120_000 });
    expect(begun.indexOf(two)).toBeLessThan(4);
  });

  test('take turns in the order in which they were served, each beginning with what is due longest', async () => {
    const kind = randomUUID();
    const owners = [trial.accountId, await trial.addAccount('two'), await trial.addAccount('three')];
    for (const owner of owners) {
      for (const subject of ['first', 'second']) await trial.insert(kind, subject, null, owner);
    }
    const { take } = leases();
    const taken: (readonly [number, string] | undefined)[] = [];
    for (let index = 0; index < 6; index += 1) {
      const job = (await take(kind))?.job;
      taken.push(job && [job.accountId, job.subject]);
    }
    expect(new Set(taken.slice(0, 3).map((each) => each?.[0]))).toEqual(new Set(owners));
    expect(taken.slice(3).map((each) => each?.[0])).toEqual(taken.slice(0, 3).map((each) => each?.[0]));
    expect(taken.map((each) => each?.[1])).toEqual([...Array(3).fill('first'), ...Array(3).fill('second')]);
    expect(await take(kind)).toBeNull();
  });

  test("whose jobs are not due yet, or are others', have no turn", async () => {
    const kind = randomUUID();
    const other = await trial.addAccount('two');
    const { statement } = trial.jobs.insert(trial.accountId, {
      kind,
      subject: 'later',
      payload: null,
      delayMs: 60_000,
    });
    await trial.database.write([statement]);
    const held = await trial.insert(kind, 'held', null, other);
    const { take } = leases();
    expect((await take(kind))?.job.id).toBe(held);
    expect(await leases().take(kind)).toBeNull();
    expect(await take(randomUUID())).toBeNull();
  });

  test('have half of the slots of a kind, so that jobs that hang leave the others to the rest', async () => {
    const begun: number[] = [];
    const [one, two] = [trial.accountId, await trial.addAccount('two')];
    const { kind } = recordingKind({
      concurrency: 4,
      run: (job, { signal }) => {
        begun.push(job.accountId);
        return job.accountId === one ? untilAborted(signal) : Promise.resolve(null);
      },
    });
    for (let index = 0; index < 20; index += 1) await trial.insert(kind.kind, undefined, null, one);
    await trial.startService([kind], { maxPerAccount: 'usual' });
    await vi.waitUntil(() => begun.length === 2, { timeout: 120_000 });
    const ids = [
      await trial.insert(kind.kind, undefined, null, two),
      await trial.insert(kind.kind, undefined, null, two),
    ];
    await vi.waitUntil(() => begun.filter((account) => account === two).length === ids.length, {
      timeout: 120_000,
    });
    expect(begun.filter((account) => account === one)).toHaveLength(2);
  });

  test('have as many slots as accountMaxConcurrent says', async () => {
    const { kind } = recordingKind({ concurrency: 4 });
    const begun: string[] = [];
    const hanging: JobKind = {
      ...kind,
      run: (job, { signal }) => {
        begun.push(job.id);
        return untilAborted(signal);
      },
    };
    for (let index = 0; index < 10; index += 1) await trial.insert(kind.kind);
    const other = await trial.addAccount('two');
    await trial.startService([hanging], { maxPerAccount: 3 });
    await vi.waitUntil(() => begun.length === 3, { timeout: 120_000 });
    const id = await trial.insert(kind.kind, undefined, null, other);
    await vi.waitUntil(() => begun.includes(id), { timeout: 120_000 });
    expect(begun).toHaveLength(4);
  });
});

test('10,000 waiting jobs of 100 accounts are taken as quickly each as few are', async () => {
  const { database } = trial;
  const kind = randomUUID();
  const owners: number[] = [];
  for (let index = 0; index < 100; index += 1) owners.push(await trial.addAccount(`account ${index}`));
  const fill = async (count: number) => {
    const rows = Array.from({ length: count }, (_, index) => ({
      id: randomUUID(),
      account_id: owners[index % owners.length] ?? 0,
      kind,
      subject: randomUUID(),
      payload: 'null',
      state: 'waiting' as const,
      due_at: 0,
      created_at: 0,
    }));
    for (let at = 0; at < count; at += 500) {
      await database.write([database.query.insertInto('job').values(rows.slice(at, at + 500))]);
    }
  };
  const msPerJob = async () => {
    const { take } = leases();
    const times: number[] = [];
    for (let index = 0; index < 60; index += 1) {
      const began = performance.now();
      expect(await take(kind)).not.toBeNull();
      times.push(performance.now() - began);
    }
    // Above half of them are disturbed by whatever else runs.
    return times.sort((a, b) => a - b)[15] ?? 0;
  };
  await fill(200);
  const few = await msPerJob();
  await fill(10_000);
  // A search through all that wait would take some fifty times as long.
  expect(await msPerJob()).toBeLessThan(5 * few + 20);
});
