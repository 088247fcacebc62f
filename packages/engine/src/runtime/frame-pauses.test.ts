import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FramePauses, type Pausable } from './frame-pauses.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Process extends Pausable {
  isPaused: boolean;
}

function createProcess(canPause = true): Process {
  return {
    isPaused: false,
    pause() {
      this.isPaused = canPause;
      return canPause;
    },
    resume() {
      this.isPaused = false;
    },
  };
}

test('a frame stands still while a request runs, on a machine whose cores are all needed', () => {
  const pauses = new FramePauses({ cores: 2 });
  const frame = createProcess();
  pauses.began(frame, 'stream');
  expect(frame.isPaused).toBe(false);
  const end = pauses.began(createProcess(), 'interactive');
  expect(frame.isPaused).toBe(true);
  end();
  expect(frame.isPaused).toBe(false);
});

test('a frame that begins beside a request stands still as well', () => {
  const pauses = new FramePauses({ cores: 2 });
  pauses.began(createProcess(), 'interactive');
  const frame = createProcess();
  pauses.began(frame, 'stream');
  expect(frame.isPaused).toBe(true);
});

test('with a core to spare nothing is paused', () => {
  const pauses = new FramePauses({ cores: 3 });
  const frame = createProcess();
  pauses.began(frame, 'stream');
  pauses.began(createProcess(), 'interactive');
  expect(frame.isPaused).toBe(false);
});

test('one frame a request', () => {
  const pauses = new FramePauses({ cores: 4 });
  const frames = [createProcess(), createProcess(), createProcess()];
  const countPaused = () => frames.filter(({ isPaused }) => isPaused).length;
  for (const frame of frames) pauses.began(frame, 'stream');
  const end = pauses.began(createProcess(), 'interactive');
  expect(countPaused()).toBe(1);
  pauses.began(createProcess(), 'interactive');
  expect(countPaused()).toBe(2);
  end();
  expect(countPaused()).toBe(1);
});

test('files of a queue and trainings go on', () => {
  const pauses = new FramePauses({ cores: 2 });
  const others = [createProcess(), createProcess()];
  pauses.began(others[0] ?? createProcess(), 'batch');
  pauses.began(others[1] ?? createProcess(), 'background');
  pauses.began(createProcess(), 'interactive');
  expect(others.map(({ isPaused }) => isPaused)).toEqual([false, false]);
});

test('a frame goes on while a request waits for a process', () => {
  const pauses = new FramePauses({ cores: 2 });
  const frame = createProcess();
  pauses.began(frame, 'stream');
  pauses.began(createProcess(), 'interactive');
  pauses.await(true);
  expect(frame.isPaused).toBe(false);
  pauses.await(false);
  expect(frame.isPaused).toBe(true);
});

test('a frame is held up by so much altogether, however many requests come', () => {
  const pauses = new FramePauses({ cores: 2, maxPauseMs: 100 });
  const frame = createProcess();
  pauses.began(frame, 'stream');
  const end = pauses.began(createProcess(), 'interactive');
  vi.advanceTimersByTime(60);
  end();
  vi.advanceTimersByTime(500);
  pauses.began(createProcess(), 'interactive');
  vi.advanceTimersByTime(39);
  expect(frame.isPaused).toBe(true);
  vi.advanceTimersByTime(2);
  expect(frame.isPaused).toBe(false);
  pauses.began(createProcess(), 'interactive');
  expect(frame.isPaused).toBe(false);
});

test('a frame that ends while it stands still lets its process go on', () => {
  const pauses = new FramePauses({ cores: 2 });
  const frame = createProcess();
  const endFrame = pauses.began(frame, 'stream');
  pauses.began(createProcess(), 'interactive');
  endFrame();
  expect(frame.isPaused).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(vi.getTimerCount()).toBe(0);
});

test('where a process cannot be paused, the next one is', () => {
  const pauses = new FramePauses({ cores: 3 });
  const frames = [createProcess(false), createProcess()];
  for (const frame of frames) pauses.began(frame, 'stream');
  pauses.began(createProcess(), 'interactive');
  expect(frames.map(({ isPaused }) => isPaused)).toEqual([false, true]);
});
