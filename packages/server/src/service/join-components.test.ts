import { expect, test } from 'vitest';
import type { Component, ComponentState } from '../core/lifecycle.js';
import { joinComponents } from './join-components.js';

test('components of a module start in order, stop in reverse, and are ready together', async () => {
  const events: string[] = [];
  const states: ComponentState[] = [true, true];
  const components = states.map((_, index): Component => {
    const note = async (what: string) => void events.push(`${what} ${index}`);
    return {
      name: String(index),
      start: () => note('start'),
      isReady: () => states[index] ?? true,
      notices: () => (index === 1 ? ['look at it'] : []),
      ...(index === 0 ? { drain: () => note('drain') } : {}),
      stop: () => note('stop'),
    };
  });
  const joined = joinComponents('both', components);
  await joined.start();
  await joined.drain?.(AbortSignal.timeout(1000));
  await joined.stop();
  expect(events).toEqual(['start 0', 'start 1', 'drain 0', 'stop 1', 'stop 0']);
  expect([joined.isReady(), joined.notices?.()]).toEqual([true, ['look at it']]);
  states[0] = { degraded: 'something is missing' };
  expect(joined.isReady()).toEqual({ degraded: 'something is missing' });
  states[1] = 'it is down';
  expect(joined.isReady()).toBe('it is down');
});
