import { expect, test } from 'vitest';
import { defaultStreamSettings } from '../stream-settings.js';
import type { StreamForRunning } from '../streams.js';
import { createFpsBudget } from './fps-budget.js';
import { type RunStreamDeps, runStream, type StreamSession } from './run-stream.js';

test('runs of a stream that cannot be opened take nothing from what streams may have together', async () => {
  const budget = createFpsBudget({ maxFps: 10 });
  const openSource = () => {
    throw new Error('sealed with another key');
  };
  const settings = { ...defaultStreamSettings, fps: 5, clips: false };
  // What a run comes to before it opens the source.
  const stream = { id: 1, accountId: 1, settings, openSource } as unknown as StreamForRunning;
  const deps = {
    budget,
    prepare: () => ({ observer: {} }),
    spool: { of: () => ({}) },
    metrics: { streams: {} },
    settings: {},
    clock: () => 0,
  } as unknown as RunStreamDeps;
  const session = { setRefuse: () => undefined } as unknown as StreamSession;
  for (let attempt = 0; attempt < 20; attempt += 1)
    await expect(runStream(stream, deps, session, new AbortController().signal)).rejects.toThrow(
      'another key',
    );
  expect(budget.share).toBe(1);
});
