import { expect, test } from 'vitest';
import { ServiceError } from '../../core/service-error.js';
import type { Job } from '../../service/jobs/job.js';
import { createJobWatch } from '../../service/jobs/job-watch.js';
import { writeJobEvents } from './job-events.js';

const running: Job = {
  id: 'a',
  accountId: 1,
  kind: 'train-model',
  subject: '1001',
  payload: {},
  state: 'running',
  progress: { stage: 'features', done: 3, total: 9 },
  isCancelAsked: false,
  result: null,
  error: null,
  createdAt: 0,
  startedAt: 0,
  endedAt: null,
};

const watch = (readJob: () => Promise<Job>) =>
  createJobWatch({ readJob, lookMs: 5 }).watch(1, 'a', new AbortController().signal);
const isLetIn = async () => true;

test('the events of a job that is deleted with its model end as those of a cancelled one', async () => {
  let looks = 0;
  const read = async () => {
    looks += 1;
    if (looks > 1) throw new ServiceError('not_found', 'it is not one of your jobs');
    return running;
  };
  const received: string[] = [];
  for await (const event of writeJobEvents(watch(read), isLetIn)) received.push(event);
  expect(received).toEqual([
    expect.stringMatching(/^event: progress\ndata: .*"state":"running"/),
    expect.stringMatching(/^event: end\ndata: .*"state":"cancelled".*"ended_at":"20.*\n\n$/),
  ]);
});

test('another fault ends the events, and is not taken for a deletion', async () => {
  const events = writeJobEvents(
    watch(() => Promise.reject(new Error('the database is gone'))),
    isLetIn,
  );
  await expect(events.next()).rejects.toThrow('the database is gone');
});
