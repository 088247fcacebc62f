import { setMaxListeners } from 'node:events';
import { expect, test } from 'vitest';
import { until } from '../../drops/servers/fixtures/until.js';
import type { Job } from './job.js';
import { createJobWatch } from './job-watch.js';

const jobAt = (done: number): Job => ({
  id: 'a',
  accountId: 1,
  kind: 'train-model',
  subject: '1001',
  payload: {},
  state: 'running',
  progress: { stage: 'features', done, total: 99 },
  isCancelAsked: false,
  result: null,
  error: null,
  createdAt: 0,
  startedAt: 0,
  endedAt: null,
});

/** Looks that are counted; each goes on when it is let. */
function openWatch() {
  const looks: { go(): void }[] = [];
  const asked: string[] = [];
  const jobWatch = createJobWatch({
    readJob: (accountId, id) => {
      asked.push(`${accountId} ${id}`);
      return new Promise((resolve) => {
        looks.push({ go: () => resolve(jobAt(looks.length)) });
      });
    },
    lookMs: 1,
  });
  return { ...jobWatch, looks, asked };
}

test('a hundred watchers of a job get each poll, of which there is one for all', async () => {
  const { watch, looks, asked } = openWatch();
  const leaving = new AbortController();
  setMaxListeners(0, leaving.signal);
  const watchers = Array.from({ length: 100 }, () => watch(1, 'a', leaving.signal));
  for (let round = 1; round <= 3; round += 1) {
    const pending = watchers.map((watcher) => watcher.next());
    await until(() => looks.length === round);
    looks.at(-1)?.go();
    expect((await Promise.all(pending)).map((job) => job?.progress.done)).toEqual(Array(100).fill(round));
    expect(asked).toHaveLength(round);
  }
  leaving.abort();
});

test('each job and each account is polled by itself, and no longer than it is watched', async () => {
  const { watch, looks, asked } = openWatch();
  const [one, other] = [new AbortController(), new AbortController()];
  const first = watch(1, 'a', one.signal);
  const second = watch(2, 'a', other.signal);
  expect(asked).toEqual(['1 a', '2 a']);
  const waiting = first.next();
  one.abort();
  looks[0]?.go();
  expect(await waiting).toBeNull();
  looks[1]?.go();
  expect((await second.next())?.id).toBe('a');
  for (let look = 2; look < 6; look += 1) {
    const next = second.next();
    await until(() => looks.length === look + 1);
    looks[look]?.go();
    await next;
  }
  expect(asked.filter((key) => key === '1 a')).toHaveLength(1);
  other.abort();
});

test('whoever reads slowly gets the job as it is now, and no backlog', async () => {
  const { watch, looks } = openWatch();
  const leaving = new AbortController();
  const [slow, quick] = [watch(1, 'a', leaving.signal), watch(1, 'a', leaving.signal)];
  for (let look = 0; look < 5; look += 1) {
    const next = quick.next();
    await until(() => looks.length === look + 1);
    looks[look]?.go();
    await next;
  }
  expect((await slow.next())?.progress.done).toBeGreaterThanOrEqual(5);
  leaving.abort();
  expect(await slow.next()).toBeNull();
});
