import { createProcessRunner } from '../process-runner.js';
import type { Int8Arithmetic } from './int8-arithmetic.js';

/** Result of an inference process's self-test on this machine, for callers without a runner; null when none starts. */
export async function askInt8Arithmetic(): Promise<Int8Arithmetic | null> {
  const runner = createProcessRunner({
    processes: 1,
    queueMax: 1,
    jobTimeoutMs: 60_000,
    maxRssBytes: 2 ** 31,
  });
  try {
    await runner.start();
    return runner.stats().int8;
  } catch {
    return null;
  } finally {
    await runner.close();
  }
}
