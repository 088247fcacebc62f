import { createProcessRunner } from '../process-runner.js';
import type { Int8Arithmetic } from './int8-arithmetic.js';

/** What the self-test of an inference process finds on this machine, for who runs none; null when none starts. */
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
