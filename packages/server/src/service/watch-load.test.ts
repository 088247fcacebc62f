import type { Analysis, Priority, RunnerStats } from '@lynceus/engine';
import { expect, test } from 'vitest';
import { watchLoad } from './watch-load.js';

/** A runner whose jobs wait so long, with so many jobs of users in its queue. */
function open() {
  const state = { waitMs: 0, queued: 0 };
  const analysis: Analysis = {
    image: { kind: 'jpeg', width: 1, height: 1 },
    results: {},
    models: [],
    timingsMs: {},
  };
  const stats: RunnerStats = {
    queued: { interactive: 0, stream: 0, batch: 0, background: 0 },
    ...{ processes: [], int8: null, crashed: 0, recycled: 0, outgrown: 0, timeouts: 0 },
  };
  const observed: (readonly [priority: string, durationMs: number])[] = [];
  const { runner, load } = watchLoad(
    {
      analyse: async () => ({ ...analysis, timingsMs: { queue: state.waitMs } }),
      unpackJson: async () => ({ rest: {}, bytesWritten: null }),
      stats: () => ({ ...stats, queued: { ...stats.queued, interactive: state.queued } }),
    },
    { observeQueueWait: (...wait) => observed.push(wait) },
  );
  const analyse = (priority: Priority) =>
    runner.analyse(
      { source: { kind: 'file', path: '/image' }, limits: { maxPixels: 1 }, tasks: [] },
      { priority },
    );
  return { state, load, analyse, observed };
}

test('a request that waited is noticed once, one that did not is not', async () => {
  const { state, load, analyse } = open();
  await analyse('interactive');
  expect(load.isInteractiveWaiting()).toBe(false);
  state.waitMs = 50;
  await analyse('interactive');
  expect([load.isInteractiveWaiting(), load.isInteractiveWaiting()]).toEqual([true, false]);
});

test('frames and files that waited are not noticed', async () => {
  const { state, load, analyse } = open();
  state.waitMs = 50;
  await analyse('stream');
  await analyse('batch');
  expect(load.isInteractiveWaiting()).toBe(false);
});

test('the wait of every job is counted by its priority', async () => {
  const { state, analyse, observed } = open();
  state.waitMs = 50;
  await analyse('stream');
  await analyse('interactive');
  expect(observed).toEqual([
    ['stream', 50],
    ['interactive', 50],
  ]);
});

test('requests that still wait are noticed', async () => {
  const { state, load } = open();
  state.queued = 1;
  expect([load.isInteractiveWaiting(), load.isInteractiveWaiting()]).toEqual([true, true]);
});

test('users are there for seconds after they asked, and files are no users', async () => {
  const { load, analyse } = open();
  await analyse('batch');
  expect(load.isInteractive()).toBe(false);
  await analyse('interactive');
  expect(load.isInteractive()).toBe(true);
});
