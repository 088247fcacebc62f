import { describe, expect, test } from 'vitest';
import { type Component, createLifecycle } from './lifecycle.js';

describe('the components of the service', () => {
  const record: string[] = [];
  const failures: string[] = [];
  const passedOver: string[] = [];
  const component = (name: string, own: Partial<Component> = {}): Component => ({
    name,
    start: async () => void record.push(`start ${name}`),
    isReady: () => true,
    drain: async () => void record.push(`drain ${name}`),
    stop: async () => void record.push(`stop ${name}`),
    ...own,
  });
  const create = (components: readonly Component[], { drainTimeoutMs = 1000, stopWithinMs = 1000 } = {}) => {
    for (const each of [record, failures, passedOver]) each.length = 0;
    return createLifecycle({
      ...{ components, drainTimeoutMs, stopWithinMs },
      onStopFailure: (name, error) => (/passed over/.test(String(error)) ? passedOver : failures).push(name),
    });
  };

  test('start in order, drain, and stop in reverse, once', async () => {
    const lifecycle = create([component('a'), component('b')]);
    await lifecycle.start();
    await Promise.all([lifecycle.stop(), lifecycle.stop()]);
    expect(record).toEqual(['start a', 'start b', 'drain a', 'drain b', 'stop b', 'stop a']);
  });

  test('are stopped when one of them cannot start, and its error comes out', async () => {
    const broken = component('b', { start: () => Promise.reject(new Error('port taken')) });
    const lifecycle = create([component('a'), broken, component('c')]);
    await expect(lifecycle.start()).rejects.toThrow('port taken');
    expect(record).toEqual(['start a', 'drain a', 'stop c', 'stop b', 'stop a']);
  });

  test('are ready with a notice, which stands beside', async () => {
    const lifecycle = create([component('a', { notices: () => ['a sweep waits'] }), component('b')]);
    await lifecycle.start();
    expect(lifecycle.readiness()).toEqual({
      ready: true,
      components: [
        { name: 'a', ready: true, notices: ['a sweep waits'] },
        { name: 'b', ready: true },
      ],
    });
  });

  test('are ready when all of them are, and say what is missing', async () => {
    let state: true | string = 'loading';
    const lifecycle = create([component('a'), component('b', { isReady: () => state })]);
    expect(lifecycle.readiness()).toMatchObject({ ready: false, components: [{ reason: 'starting' }, {}] });
    await lifecycle.start();
    expect(lifecycle.readiness()).toEqual({
      ready: false,
      components: [
        { name: 'a', ready: true },
        { name: 'b', ready: false, reason: 'loading' },
      ],
    });
    state = true;
    expect(lifecycle.readiness().ready).toBe(true);
    const stopping = lifecycle.stop();
    expect(lifecycle.readiness()).toMatchObject({ ready: false, components: [{ reason: 'stopping' }] });
    await stopping;
  });

  test('are ready while one is degraded, which is said with its reason', async () => {
    const lifecycle = create([component('a', { isReady: () => ({ degraded: 'away' }) }), component('b')]);
    await lifecycle.start();
    expect(lifecycle.readiness()).toEqual({
      ready: true,
      status: 'degraded',
      components: [
        { name: 'a', ready: true, status: 'degraded', reason: 'away' },
        { name: 'b', ready: true },
      ],
    });
  });

  test('are not ready once the stop is announced, and are neither drained nor stopped yet', async () => {
    const lifecycle = create([component('a')]);
    await lifecycle.start();
    lifecycle.announceStop();
    expect(lifecycle.readiness()).toEqual({
      ready: false,
      components: [{ name: 'service', ready: false, reason: 'stopping' }],
    });
    expect(record).toEqual(['start a']);
    await lifecycle.stop();
    expect(record).toEqual(['start a', 'drain a', 'stop a']);
  });

  test('get no more than their time to drain, and one that fails keeps none from stopping', async () => {
    const endless = component('a', { drain: () => new Promise(() => {}) });
    const failing = component('b', {
      drain: () => Promise.reject(new Error('no')),
      stop: () => Promise.reject(new Error('no')),
    });
    const lifecycle = create([endless, failing, component('c')], { drainTimeoutMs: 50 });
    await lifecycle.start();
    await lifecycle.stop();
    expect(record).toContain('stop a');
    expect(record).toContain('stop c');
    expect(failures).toEqual(['b', 'b']);
  });

  test('are passed over when they do not stop, by name, each after half of the time that is left', async () => {
    const endless = (name: string) => component(name, { stop: () => new Promise(() => {}) });
    const names = ['a', 'b', 'c', 'd'];
    const lifecycle = create([component('first'), ...names.map(endless), component('last')], {
      stopWithinMs: 400,
    });
    await lifecycle.start();
    const since = performance.now();
    await lifecycle.stop();
    expect(performance.now() - since).toBeGreaterThan(350);
    expect(passedOver).toEqual(['d', 'c', 'b', 'a']);
    expect(failures).toEqual([]);
    expect(record.slice(-2)).toEqual(['stop last', 'stop first']);
  });

  test('can be stopped while they start', async () => {
    let failStart: (error: Error) => void = () => {};
    const slow = component('slow', {
      start: () => new Promise((_, reject) => (failStart = reject)),
      stop: async () => {
        record.push('stop slow');
        failStart(new Error('stopped'));
      },
    });
    const lifecycle = create([component('a'), slow, component('never')]);
    const starting = lifecycle.start();
    await new Promise((resolve) => setImmediate(resolve));
    await lifecycle.stop();
    await starting;
    expect(record).toEqual(['start a', 'drain a', 'stop never', 'stop slow', 'stop a']);
  });
});
