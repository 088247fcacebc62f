import { setTimeout as sleep } from 'node:timers/promises';
import { type Analysis, EngineError, type ModelRunner, type RunOptions } from '@lynceus/engine';

const firstWaitMs = 100;
const longestWaitMs = 2000;

/**
 * An analysis that waits while others are served. Null for an image that cannot be analysed, whatever the reason; throws
 * when none can be, such as for want of the model.
 */
export async function analyseWhenFree(
  runner: Pick<ModelRunner, 'analyse'>,
  job: Parameters<ModelRunner['analyse']>[0],
  options: RunOptions & { readonly owner: string; readonly signal: AbortSignal },
): Promise<Analysis | null> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      return await runner.analyse(job, options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof EngineError)) throw error;
      if (error.code === 'model-missing' || error.code === 'internal') throw error;
      if (error.code !== 'busy') return null;
      await sleep(waitMs, undefined, { signal: options.signal });
    }
  }
}
