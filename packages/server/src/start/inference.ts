import { rmdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { isAbsolute, relative } from 'node:path';
import {
  createProcessRunner,
  createSplitRunner,
  type ModelRef,
  type ProcessRunner,
  type ProcessRunnerOptions,
  type RunnerEvent,
} from '@lynceus/engine';
import type { Component } from '../core/lifecycle.js';
import { largestRequestBytes } from '../core/load-settings.js';
import type { Logger } from '../core/logger.js';
import type { Metrics } from '../core/metrics.js';
import { processLimits } from '../core/process-limits.js';
import type { Settings } from '../core/settings.js';
import { chooseSpoolDir, openSpool, type Spool } from '../intake/spool.js';

/** A process that had no job for so long ends. */
const idleEndMs = 60_000;

/** Behind those of the built-in models. */
const niceness = 10;

/** The first to be ended where memory runs out. */
const oomScoreAdj = 1000;

/** Files of models that a process keeps in memory, as a share of what it may take. */
const modelsShare = 1 / 16;

interface OpenInferenceDeps {
  readonly settings: Settings;
  /** Models that every inference process loads before it takes jobs. */
  readonly warm: readonly ModelRef[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Models from these folders run in processes of their own. */
  readonly customModelsDirs: readonly string[];
}

export interface OpenedInference {
  readonly spool: Spool;
  /** Of all models. */
  readonly runner: ProcessRunner;
  /** Of the built-in ones alone. */
  readonly builtin: ProcessRunner;
  /** Resolves when the processes are up; they load their models while the rest of the service is put together. */
  readonly started: Promise<void>;
}

/** Where images arrive, and the processes that open them there. */
export async function openInference(deps: OpenInferenceDeps): Promise<OpenedInference> {
  const { settings, warm, logger, metrics } = deps;
  const { spoolMaxBytes: maxBytes, spoolDir, dataDir } = settings;
  const spool = await openSpool({
    dir: await chooseSpoolDir({ spoolDir, dataDir, maxBytes }),
    maxBytes,
    largestRequestBytes: largestRequestBytes(settings),
  });
  const builtin = createProcessRunner({
    processes: settings.inferenceProcesses,
    queueMax: settings.inferenceQueueMax,
    jobTimeoutMs: settings.requestTimeoutMs,
    ...processLimits(settings),
    warm,
    sharing: { dir: spool.dir, maxBytes },
    ...maxRunning(settings.accountMaxConcurrent),
    halvesBesideOthers: true,
    onEvent: (event: RunnerEvent) => logRunnerEvent(logger, event),
  });
  const custom = createProcessRunner({
    ...customModelLimits(settings),
    onEvent: (event: RunnerEvent) => logRunnerEvent(logger, { ...event, pool: 'custom' }),
  });
  const customDirs = deps.customModelsDirs.map(isWithin);
  const runner = createSplitRunner({
    builtin,
    custom,
    isCustom: ({ dir }) => customDirs.some((isOf) => isOf(dir)),
  });
  metrics.watchInference(() => runner.stats());
  const started = runner.start();
  // Reported by whoever awaits it.
  started.catch(() => undefined);
  return { spool, runner, builtin, started };
}

/** In what processes a stranger's graph runs: what it takes of the machine depends on the image, and no trial bounds it. */
function customModelLimits(
  settings: Pick<
    Settings,
    | 'customInferenceProcesses'
    | 'customInferenceProcessesPerAccount'
    | 'customInferenceMaxBytes'
    | 'customInferenceTimeoutMs'
    | 'decodeMaxCpuMs'
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
    outgrownBy: 'model',
    decodeMaxCpuMs: settings.decodeMaxCpuMs,
    // Above half of the limit a process is recycled after the job: the next job has at least the other half to itself.
    maxRssBytes: customInferenceMaxBytes / 3,
    maxModels: 4,
    maxModelBytes: Math.floor(customInferenceMaxBytes * modelsShare),
    ...maxRunning(Math.min(perAccount, accountMaxConcurrent || perAccount)),
  };
}

/** @param count 0: no limit */
function maxRunning(count: number): Pick<ProcessRunnerOptions, 'maxRunningPerOwner'> {
  return count === 0 ? {} : { maxRunningPerOwner: count };
}

function isWithin(folder: string): (path: string) => boolean {
  return (path) => {
    const way = relative(folder, path);
    return way !== '' && !way.startsWith('..') && !isAbsolute(way);
  };
}

/**
 * The inference processes. Listeners drain before it stops, so that what is left then has run out of time.
 * @param meanwhile what this process gets ready while those load their models
 */
export function createRunnerComponent(
  { runner, builtin, started }: Pick<OpenedInference, 'runner' | 'builtin' | 'started'>,
  meanwhile: () => Promise<void> = async () => {},
): Component {
  return {
    name: 'inference',
    async start() {
      await Promise.all([started, meanwhile()]);
    },
    isReady() {
      const ready = builtin.stats().processes.some((process) => process.state !== 'starting');
      return ready ? true : 'no inference process is up';
    },
    stop: () => runner.close(),
  };
}

/** @param event with the pool that it is of, where that is not the built-in models' */
function logRunnerEvent(logger: Logger, event: RunnerEvent & { readonly pool?: 'custom' }): void {
  const { type, ...fields } = event;
  switch (type) {
    case 'started':
      logger.debug(fields, 'an inference process is up');
      if (event.int8 === 'inexact')
        logger.warn(fields, 'this CPU does not run models with 8-bit weights exactly');
      return;
    case 'recycled':
      logger.info(fields, 'an inference process grew too large and was replaced');
      return;
    case 'idle-ended':
      logger.debug(fields, 'an idle inference process was ended');
      return;
    case 'outgrown':
      logger.warn(fields, 'a job took more memory than it may; its inference process was ended');
      return;
    case 'overworked':
      logger.warn(fields, 'an image took more processor time to decode than it may; its process was ended');
      return;
    case 'timeout':
      logger.warn(fields, 'a job ran past its time; its inference process was ended');
      return;
    case 'process-crashed':
      logger.error(fields, 'inference process crashed');
      return;
    case 'fault':
      logger.error(fields, 'a fault in an inference process');
      return;
    case 'warm-up':
      logger.warn(fields, 'an inference process could not load a model ahead of time');
      return;
  }
}

/** Swept when it was opened; in shared memory, its folder should not outlive the service. */
export function createSpoolComponent(spool: Spool): Component {
  return {
    name: 'spool',
    start: async () => {},
    isReady: () => true,
    // A file that is still in use keeps the folder, until the next start sweeps it.
    stop: () => rmdir(spool.dir).catch(() => undefined),
  };
}
