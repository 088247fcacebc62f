import { availableParallelism } from 'node:os';
import { ChildHost, type ReachedLimit } from '../child-process/child-host.js';
import { findIdleScheduler } from '../child-process/idle-scheduler.js';
import type { ClassifierReport } from './classifier/classifier-report.js';
import type { DetectorReport } from './detector/detector-report.js';
import { emptyOutDir, readTrained } from './out-dir.js';
import type { TrainingCommand, TrainingMessage } from './process/messages.js';
import type { HelperLimits } from './training-context.js';
import { TrainingError } from './training-error.js';
import type {
  ClassifierTraining,
  DetectorTraining,
  TrainingJob,
  TrainingOutcome,
  TrainingProgress,
} from './training-job.js';

export interface TrainerOptions {
  /** Resident bytes above which the process of a training run is killed. Those that help it have as much again together, at most. */
  readonly maxRssBytes: number;
  /** Processes that may compute features of images at once, that of the training included; 0: one a core; one unless given. */
  readonly processes?: number;
  /** Time after which a training run is killed; no limit unless given. */
  readonly timeoutMs?: number;
  /** Scheduling priority, 0 to 19; unless given, the run has the time that nothing else wants. */
  readonly nice?: number;
  /** The module that the process runs; tests give one of their own. */
  readonly entry?: URL;
  /** Called with what only a log needs: the stack of a fault. */
  readonly onFault?: (detail: string) => void;
}

export interface TrainOptions {
  /** Kills the process of the training run. What it kept in `cacheDir` stays. */
  readonly signal?: AbortSignal;
  /** Called at most about four times a second. */
  readonly onProgress?: (progress: TrainingProgress) => void;
}

export interface Trainer {
  /**
   * Trains in a process of its own, which does not outlive this one.
   * @throws TrainingError; `outDir` is then empty.
   */
  train(job: ClassifierTraining, options?: TrainOptions): Promise<TrainingOutcome<ClassifierReport>>;
  train(job: DetectorTraining, options?: TrainOptions): Promise<TrainingOutcome<DetectorReport>>;
}

export function createTrainer(options: TrainerOptions): Trainer {
  async function train(job: TrainingJob, trainOptions: TrainOptions = {}): Promise<TrainingOutcome<never>> {
    try {
      await emptyOutDir(job.outDir);
      // The report is checked where it is made, against the schema of its kind.
      const report = (await runProcess(job, options, trainOptions)) as never;
      return { model: await readTrained(job.outDir), report };
    } catch (error) {
      await emptyOutDir(job.outDir);
      throw error;
    }
  }
  return { train };
}

async function runProcess(job: TrainingJob, options: TrainerOptions, { signal, onProgress }: TrainOptions) {
  const { entry, maxRssBytes, timeoutMs, nice, onFault, processes = 1 } = options;
  const scheduler = nice === undefined ? await findIdleScheduler() : [];
  if (signal?.aborted) throw cancelled();
  let outcome: Exclude<TrainingMessage, { type: 'progress' }> | undefined;
  let reached: ReachedLimit['limit'] | undefined;
  const child = new ChildHost({
    entry: entry ?? new URL('./process/main.js', import.meta.url),
    execArgv: [
      `--max-old-space-size=${Math.max(64, Math.floor(maxRssBytes / 2 ** 20))}`,
      // Collected half as often, garbage takes a fifth less of the CPU time of a training of a detector, and 13 of 523 MB more.
      '--heap-growing-percent=300',
    ],
    output: 'stderr',
    scheduler,
    // What takes its place where there is no such scheduler.
    niceness: nice ?? 19,
    // Should the machine run out of memory, it is killed before the service.
    oomScoreAdj: 500,
    onMessage: (received) => {
      const message = received as TrainingMessage;
      if (message.type !== 'progress') {
        outcome = message;
      } else if (reached === undefined) {
        // Where the kernel does not report memory, the process does.
        if (message.rssBytes > maxRssBytes) {
          reached = 'memory';
          child.kill();
        }
        onProgress?.(message.progress);
      }
    },
  });
  child.watch({ maxRssBytes, timeoutMs, signal }, ({ limit }) => {
    reached ??= limit;
  });
  const helpers = helpersWithin(maxRssBytes, processes);
  child.send({ job, helpers } satisfies TrainingCommand);
  const { cause } = await child.exited;
  if (reached === 'abort') throw cancelled();
  if (reached === 'memory') throw tooLarge(maxRssBytes);
  if (reached === 'time') throw tooLong(timeoutMs ?? 0);
  if (outcome?.type === 'done') return outcome.report;
  if (outcome === undefined) throw crashError(cause);
  if (outcome.error.code === 'fault') onFault?.(outcome.detail);
  throw new TrainingError(outcome.error.code, outcome.error.message);
}

/** A process that computes features takes some 300 MiB, and with large images more. */
const leastForHelper = 512 * 2 ** 20;

/** As many as fit in what the training run may have, beside its own process; together they have no more than it. */
function helpersWithin(maxRssBytes: number, processes: number): HelperLimits {
  const wanted = (processes || availableParallelism()) - 1;
  const fitting = Math.floor(maxRssBytes / leastForHelper) - 1;
  const most = Math.max(0, Math.min(wanted, fitting));
  return { most, maxRssBytes: Math.floor(maxRssBytes / (most + 1)) };
}

function cancelled(): TrainingError {
  return new TrainingError('cancelled', 'the training was cancelled');
}

function tooLarge(maxRssBytes: number): TrainingError {
  const mebibytes = Math.round(maxRssBytes / 2 ** 20);
  return new TrainingError(
    'too-large',
    `the training needs more than the ${mebibytes} MiB of memory it may have; allow more, or give it fewer images`,
  );
}

function tooLong(timeoutMs: number): TrainingError {
  const minutes = Math.round(timeoutMs / 60_000);
  return new TrainingError(
    'timed-out',
    `the training took longer than the ${minutes} minutes it may take (trainingTimeoutMs); allow more, or give it fewer images`,
  );
}

function crashError(cause: string): TrainingError {
  return new TrainingError(
    'process-crashed',
    `the process of the training run crashed (${cause}); start it again, and if it crashes again, read the log`,
  );
}
