import type { Job } from '@lynceus/client';
import { expect, test } from 'vitest';
import { staleAfter } from './live.js';

const job = (kind: string, state: Job['state']): Job => ({
  id: 'one',
  kind,
  subject: '1007',
  state,
  result: null,
  error: null,
  progress: { stage: null, done: 1, total: 9, percent: 11, seconds_left: null },
  created_at: '',
  started_at: null,
  ended_at: null,
});

test('a step of a job refetches its resource, and no list', () => {
  const [import_, training] = [job('dataset-import', 'running'), job('train-model', 'running')];
  expect(staleAfter(import_, import_)).toEqual([['datasets', 1007]]);
  expect(staleAfter(training, training)).toEqual([]);
});

test('the start and the end of a job refetch all queries that may show it', () => {
  expect(staleAfter(job('train-model', 'running'), undefined)).toEqual([['jobs'], ['models']]);
  expect(staleAfter(job('train-model', 'done'), job('train-model', 'running'))).toEqual([
    ['jobs'],
    ['models'],
  ]);
  expect(staleAfter(job('unknown', 'done'), undefined)).toEqual([['jobs']]);
});
