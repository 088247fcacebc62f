import { createProcessRunner, type ModelRef, type ProcessRunner, type RunnerEvent } from '@lynceus/engine';
import type { Settings } from '../config/settings.js';
import { chooseSpoolDir, openSpool, type Spool } from '../intake/spool.js';
import type { Logger } from '../telemetry/logger.js';
import type { Metrics } from '../telemetry/metrics.js';
import { logRunnerEvent } from './runner-part.js';

export interface OpenInferenceDeps {
  readonly settings: Settings;
  /** Models that every inference process loads before it takes jobs. */
  readonly warm: readonly ModelRef[];
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Where pictures arrive, and the processes that open them there; none is started yet. */
export async function openInference(
  deps: OpenInferenceDeps,
): Promise<{ readonly spool: Spool; readonly runner: ProcessRunner }> {
  const { settings, warm, logger, metrics } = deps;
  const { spoolMaxBytes: maxBytes, spoolDir, dataDir } = settings;
  const spool = await openSpool({ dir: await chooseSpoolDir({ spoolDir, dataDir, maxBytes }), maxBytes });
  const runner = createProcessRunner({
    processes: settings.inferenceProcesses,
    queueMax: settings.inferenceQueueMax,
    jobTimeoutMs: settings.requestTimeoutMs,
    maxRssBytes: settings.inferenceMaxMemoryMb * 1024 * 1024,
    warm,
    sharing: { dir: spool.dir, maxBytes },
    onEvent: (event: RunnerEvent) => logRunnerEvent(logger, event),
  });
  metrics.watchInference(() => runner.stats());
  return { spool, runner };
}
