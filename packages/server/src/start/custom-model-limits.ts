import { availableParallelism } from 'node:os';
import { isAbsolute, relative } from 'node:path';
import type { ProcessRunnerOptions } from '@lynceus/engine';
import type { Settings } from '../config/settings.js';

/** A process that had no job for so long ends. */
const idleEndMs = 60_000;
/** Behind those of the built-in models. */
const niceness = 10;
/** The first to be ended where memory runs out. */
const oomScoreAdj = 1000;
/** Files of models that a process keeps in memory, as a share of what it may take. */
const modelsShare = 1 / 16;

/** In what processes a stranger's graph runs: what it takes of the machine depends on the image, and no trial bounds it. */
export function customModelLimits(
  settings: Pick<
    Settings,
    | 'customInferenceProcesses'
    | 'customInferenceProcessesPerAccount'
    | 'customInferenceMaxBytes'
    | 'customInferenceTimeoutMs'
    | 'inferenceQueueMax'
    | 'accountMaxConcurrent'
  >,
): ProcessRunnerOptions {
  const { customInferenceMaxBytes, accountMaxConcurrent } = settings;
  const processes = settings.customInferenceProcesses || Math.max(2, Math.ceil(availableParallelism() / 2));
  const perAccount = settings.customInferenceProcessesPerAccount || Math.max(1, Math.floor(processes / 2));
  return {
    processes,
    idleEndMs,
    niceness,
    oomScoreAdj,
    queueMax: settings.inferenceQueueMax,
    jobTimeoutMs: settings.customInferenceTimeoutMs,
    jobMaxRssBytes: customInferenceMaxBytes,
    // Above half of the limit a process is recycled after the job: the next job has at least the other half to itself.
    maxRssBytes: customInferenceMaxBytes / 3,
    maxModels: 4,
    maxModelBytes: Math.floor(customInferenceMaxBytes * modelsShare),
    ...maxRunning(Math.min(perAccount, accountMaxConcurrent || perAccount)),
  };
}

/** @param count 0: no limit */
export function maxRunning(count: number): Pick<ProcessRunnerOptions, 'maxRunningPerOwner'> {
  return count === 0 ? {} : { maxRunningPerOwner: count };
}

export function isWithin(folder: string): (path: string) => boolean {
  return (path) => {
    const way = relative(folder, path);
    return way !== '' && !way.startsWith('..') && !isAbsolute(way);
  };
}
