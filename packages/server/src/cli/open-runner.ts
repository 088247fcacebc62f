import { availableParallelism } from 'node:os';
import { createProcessRunner, type ProcessRunner } from '@lynceus/engine';
import { processLimits } from '../core/process-limits.js';
import type { Settings } from '../core/settings.js';

interface CommandRunnerOptions {
  /** Inference processes. */
  readonly processes: number;
  /** Images that may wait for one of them. */
  readonly queueMax: number;
  /** Of the processes: see setpriority(2). */
  readonly niceness?: number;
}

/**
 * How long a command's image may take. No client waits for it, and where all cores are busy, a large one takes minutes: only what
 * would never end is to be ended.
 */
export const commandJobTimeoutMs = 10 * 60_000;

/** Inference processes of a command's own, which no service knows of; started, and to be closed. */
export async function openRunner(
  settings: Settings,
  { processes, queueMax, niceness }: CommandRunnerOptions,
): Promise<ProcessRunner> {
  const runner = createProcessRunner({
    processes,
    queueMax,
    ...(niceness === undefined ? {} : { niceness }),
    jobTimeoutMs: commandJobTimeoutMs,
    ...processLimits(settings),
  });
  try {
    await runner.start();
    return runner;
  } catch (error) {
    await runner.close();
    throw error;
  }
}

/** As many as keep all cores of this machine busy, unless the settings name a number. */
export function processesOf({ inferenceProcesses }: Pick<Settings, 'inferenceProcesses'>): number {
  return inferenceProcesses || availableParallelism();
}
