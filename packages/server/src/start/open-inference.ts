import {
  createProcessRunner,
  createSplitRunner,
  type ModelRef,
  type ProcessRunner,
  type RunnerEvent,
} from '@lynceus/engine';
import { largestRequestBytes } from '../config/load-settings.js';
import type { Settings } from '../config/settings.js';
import { chooseSpoolDir, openSpool, type Spool } from '../intake/spool.js';
import type { Logger } from '../telemetry/logger.js';
import type { Metrics } from '../telemetry/metrics.js';
import { customModelLimits, isWithin, maxRunning } from './custom-model-limits.js';
import { logRunnerEvent } from './runner-component.js';

export interface OpenInferenceDeps {
  readonly settings: Settings;
  /** Models that every inference process loads before it takes jobs. */
  readonly warm: readonly ModelRef[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Models from it run in processes of their own. */
  readonly customModelsDir: string;
}

export interface OpenedInference {
  readonly spool: Spool;
  /** Of all models. */
  readonly runner: ProcessRunner;
  /** Of the built-in ones alone. */
  readonly builtin: ProcessRunner;
}

/** Where images arrive, and the processes that open them there; none is started yet. */
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
    maxRssBytes: settings.inferenceMaxMemoryMb * 1024 * 1024,
    warm,
    sharing: { dir: spool.dir, maxBytes },
    ...maxRunning(settings.accountMaxConcurrent),
    onEvent: (event: RunnerEvent) => logRunnerEvent(logger, event),
  });
  const custom = createProcessRunner({
    ...customModelLimits(settings),
    onEvent: (event: RunnerEvent) => logRunnerEvent(logger, { ...event, pool: 'custom' }),
  });
  const isCustom = isWithin(deps.customModelsDir);
  const runner = createSplitRunner({ builtin, custom, isCustom: ({ dir }) => isCustom(dir) });
  metrics.watchInference(() => runner.stats());
  return { spool, runner, builtin };
}
