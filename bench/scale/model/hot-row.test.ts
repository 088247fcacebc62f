import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simulateCounting } from './hot-row.js';

const costs = { batchMs: 1, callMs: 0.1, replicaCpuMs: 0.2 };
const alone = { replicas: 1, accounts: 1, callersPerReplica: 1, thinkMs: 0, cores: 4 };

describe('the simulation of counting', () => {
  test('has one caller wait for its own work and its commit, each time', () => {
    const { callsPerSecond, medianMs, batchCalls } = simulateCounting(costs, alone);
    expect(medianMs).toBeCloseTo(1.3);
    expect(callsPerSecond).toBeCloseTo(1000 / 1.3, 0);
    expect(batchCalls).toBe(1);
  });

  test('merges what gathers during a commit: the row of an account is the limit of its replicas together', () => {
    const one = simulateCounting({ ...costs, replicaCpuMs: 0 }, { ...alone, callersPerReplica: 100 });
    expect(one.batchCalls).toBeCloseTo(100);
    expect(one.callsPerSecond).toBeCloseTo(100_000 / 11, -2);
    const ten = simulateCounting(
      { ...costs, replicaCpuMs: 0 },
      { ...alone, replicas: 10, callersPerReplica: 100 },
    );
    expect(ten.callsPerSecond / one.callsPerSecond).toBeCloseTo(1, 1);
    expect(ten.medianMs / one.medianMs).toBeCloseTo(10, 0);
  });

  test('lets accounts that are apart commit side by side, on as many cores as there are', () => {
    const of = (replicas: number) =>
      simulateCounting({ ...costs, replicaCpuMs: 0 }, { ...alone, replicas, accounts: replicas })
        .callsPerSecond;
    expect(of(4) / of(1)).toBeCloseTo(4, 1);
    expect(of(16) / of(1)).toBeCloseTo(4, 1);
  });

  test('answers no more calls than its callers can make, and no batch waits for ever', () => {
    const workload = fc.record({
      replicas: fc.integer({ min: 1, max: 6 }),
      accounts: fc.integer({ min: 1, max: 6 }),
      callersPerReplica: fc.integer({ min: 1, max: 12 }),
      thinkMs: fc.integer({ min: 0, max: 50 }),
      cores: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(workload, (given) => {
        const { callsPerSecond, p99Ms } = simulateCounting(costs, given, 2000);
        const most = (given.replicas * given.callersPerReplica * 1000) / (given.thinkMs + 1.3);
        expect(callsPerSecond).toBeLessThanOrEqual(most * 1.2);
        expect(callsPerSecond).toBeGreaterThan(0);
        // Each batch of others may come first, and those that share no account with it in turn.
        expect(p99Ms).toBeLessThan(1.3 * 12 * 6 * 12);
      }),
      { numRuns: 50 },
    );
  });
});
