import { type Analysis, EngineError, type ModelRunner, type RunOptions } from '@lynceus/engine';
import { whenFree } from '../../recognition/when-free.js';

/**
 * An analysis that waits while others are served. Null for an image that cannot be analysed, whatever the reason; throws
 * when none can be, such as for want of the model.
 */
export async function analyseWhenFree(
  runner: Pick<ModelRunner, 'analyse'>,
  job: Parameters<ModelRunner['analyse']>[0],
  options: RunOptions & { readonly owner: string; readonly signal: AbortSignal },
): Promise<Analysis | null> {
  try {
    return await whenFree(() => runner.analyse(job, options), options.signal);
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof EngineError)) throw error;
    if (error.code === 'model-missing' || error.code === 'internal') throw error;
    return null;
  }
}
