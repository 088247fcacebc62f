import type { ProcessRunnerOptions } from '@lynceus/engine';
import type { Settings } from './settings.js';

/** Limits of an inference process for built-in models, of the service and of commands. */
export function processLimits({
  inferenceMaxMemoryMb,
  decodeMaxCpuMs,
}: Pick<Settings, 'inferenceMaxMemoryMb' | 'decodeMaxCpuMs'>): Pick<
  ProcessRunnerOptions,
  'maxRssBytes' | 'jobMaxRssBytes' | 'decodeMaxCpuMs'
> {
  const jobMaxRssBytes = inferenceMaxMemoryMb * 2 ** 20;
  // A process is replaced after fifty jobs at half of it, and after any job at three quarters: the next job has the rest.
  return { maxRssBytes: jobMaxRssBytes / 2, jobMaxRssBytes, decodeMaxCpuMs };
}
