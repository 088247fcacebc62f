import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { parentArguments } from '../runtime/end-with-parent.js';
import { processEnvironment } from '../runtime/environment.js';
import { watchMemory } from '../runtime/watch-memory.js';
import type { ClassifierReport } from './classifier/classifier-report.js';
import type { DetectorReport } from './detector/detector-report.js';
import { emptyOutDir, readTrained } from './out-dir.js';
import type { TrainingCommand, TrainingMessage } from './process/messages.js';
import { TrainingError } from './training-error.js';
import type {
  ClassifierTraining,
  DetectorTraining,
  TrainingJob,
  TrainingOutcome,
  TrainingProgress,
} from './training-job.js';

export interface TrainerOptions {
  /** Resident bytes at which a training is ended. */
  readonly maxRssBytes: number;
  /** Time after which a training is ended; none unless given. */
  readonly timeoutMs?: number;
  /** Scheduling priority, 0 to 19; 19 unless told: only when nothing else wants to run. */
  readonly nice?: number;
  /** The module that the process runs; one with other trainings, say. */
  readonly entry?: URL;
  /** Told of what only a log needs: the stack of a fault. */
  readonly onFault?: (detail: string) => void;
}

export interface TrainOptions {
  /** Ends the training; its process is killed. What it kept in `cacheDir` stays. */
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

const watchEveryMs = 100;

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

function runProcess(job: TrainingJob, options: TrainerOptions, { signal, onProgress }: TrainOptions) {
  return new Promise<unknown>((resolve, reject) => {
    if (signal?.aborted) return reject(cancelled());
    const { maxRssBytes, timeoutMs, onFault } = options;
    const child = startProcess(options);
    let outcome: Exclude<TrainingMessage, { type: 'progress' }> | undefined;
    let ended: TrainingError | undefined;
    const end = (error: TrainingError) => {
      ended ??= error;
      child.kill('SIGKILL');
    };
    const heed = (rssBytes: number) => {
      if (rssBytes > maxRssBytes) end(tooLarge(maxRssBytes));
    };
    const abort = () => end(cancelled());
    signal?.addEventListener('abort', abort, { once: true });
    const stopWatching = watchMemory(child.pid, { maxRssBytes, everyMs: watchEveryMs }, heed);
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => end(tooLong(timeoutMs)), timeoutMs);
    child.on('message', (message: TrainingMessage) => {
      if (message.type !== 'progress') {
        outcome = message;
      } else if (ended === undefined) {
        heed(message.rssBytes);
        onProgress?.(message.progress);
      }
    });
    const finish = (cause: string) => {
      stopWatching();
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      if (ended) return reject(ended);
      if (outcome?.type === 'done') return resolve(outcome.report);
      if (outcome === undefined) return reject(crashError(cause));
      if (outcome.error.code === 'fault') onFault?.(outcome.detail);
      reject(new TrainingError(outcome.error.code, outcome.error.message));
    };
    child.once('exit', (code, killedBy) => finish(killedBy ? `signal ${killedBy}` : `exit code ${code}`));
    child.once('error', (error) => {
      // A process that could not be started has no exit; for any other error (a failed send) the exit follows.
      if (child.pid === undefined) finish(error.message);
      else child.kill('SIGKILL');
    });
    child.send({ job } satisfies TrainingCommand, () => {});
  });
}

function startProcess({ entry, maxRssBytes, nice = 19 }: TrainerOptions): ChildProcess {
  const child = fork(entry ?? new URL('./process/main.js', import.meta.url), parentArguments(), {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${Math.max(64, Math.floor(maxRssBytes / 2 ** 20))}`],
    env: processEnvironment(process.env),
    // What native libraries print goes to our standard error: standard output may be somebody's pipe.
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  try {
    // At once: on Linux each thread inherits the priority of the one that starts it, and none has begun yet.
    if (child.pid !== undefined) setPriority(child.pid, nice);
  } catch {
    // Not allowed everywhere; then it runs like everybody else.
  }
  return child;
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
