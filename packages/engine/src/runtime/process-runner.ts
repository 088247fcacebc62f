import { availableParallelism } from 'node:os';
import type { ModelRef } from '../catalog/manifest.js';
import { EngineError } from '../errors.js';
import { Dispatcher, type Finished } from './dispatcher.js';
import type { RunnerEvent } from './events.js';
import type { Int8Arithmetic } from './int8/int8-arithmetic.js';
import type { Analysis, ModelRunner, RunOptions, UnpackedJson } from './job.js';
import type { Job } from './messages.js';
import { PixelFiles, type SharingOptions } from './pixel-files.js';
import type { Priority } from './priority.js';
import { ProcessPool } from './process-pool.js';

export interface ProcessRunnerOptions {
  /** How many inference processes; 0: one a core. */
  readonly processes: number;
  /** Jobs that may wait, over all priorities; one more is answered 'busy'. */
  readonly queueMax: number;
  /** Time a job may take in a process, loading of models included; then the process is killed. */
  readonly jobTimeoutMs: number;
  /**
   * Resident bytes at which a process is replaced by a fresh one after some jobs; at half as much again it is replaced
   * after the current job.
   */
  readonly maxRssBytes: number;
  /** Resident bytes above which a process is killed during a job; no limit unless given. */
  readonly jobMaxRssBytes?: number;
  /** What such a job fails with once its image is decoded: 'image-too-complex' (unless given) or 'memory'. */
  readonly outgrownBy?: 'image' | 'model';
  /**
   * Processor time of decoding above which a process is killed, and its job fails with 'image-too-complex'; 10 s unless given. For AVIF and
   * HEIC it is added once more for every 16 million pixels.
   */
  readonly decodeMaxCpuMs?: number;
  /** Processes that one owner may hold at once; no limit unless given. */
  readonly maxRunningPerOwner?: number;
  /** One owner holds at most half of the processes, rounded up, while another has asked within the last minute. */
  readonly halvesBesideOthers?: boolean;
  /** Start processes on demand, and stop them after being idle for so long; unless given all are kept running. */
  readonly idleEndMs?: number;
  /**
   * `oom_score_adj` of the processes, 0 to 1000: when memory runs out, the kernel kills those with a higher one first; as
   * the service unless given.
   */
  readonly oomScoreAdj?: number;
  /** Models that every process loads before its first job. */
  readonly warm?: readonly ModelRef[];
  /** ONNX Runtime's execution provider: `cpu`, `cuda`, … */
  readonly executionProvider?: string;
  /** Models a process keeps in memory, and the bytes of their files together; the least recently used are unloaded. */
  readonly maxModels?: number;
  readonly maxModelBytes?: number;
  /** Scheduling priority of the processes: 0, like the service, to 19, only when nothing else is running. */
  readonly niceness?: number;
  readonly startTimeoutMs?: number;
  readonly recycleMinJobs?: number;
  /** Idle processes help with the tasks of one image; without it each job stays in one process. */
  readonly sharing?: SharingOptions;
  /** The module that a process runs; tests give one with other tasks. */
  readonly entry?: URL;
  readonly onEvent?: (event: RunnerEvent) => void;
}

export interface RunnerStats {
  readonly queued: Readonly<Record<Priority, number>>;
  readonly processes: readonly {
    readonly pid: number | undefined;
    readonly state: 'starting' | 'idle' | 'busy';
    readonly rssBytes: number;
    readonly jobsDone: number;
    readonly models: number;
  }[];
  /** How graphs with 8-bit weights are run on this CPU; null until a process is ready. */
  readonly int8: Int8Arithmetic | null;
  /**
   * Since the start: processes that crashed, that were replaced because of their size, that were killed above the memory
   * limit of a job, and jobs that timed out or took too much processor time to decode.
   */
  readonly crashed: number;
  readonly recycled: number;
  readonly outgrown: number;
  readonly timeouts: number;
}

export interface ProcessRunner extends ModelRunner {
  /** Resolves when the first process is ready; rejects when none starts. */
  start(): Promise<void>;
  stats(): RunnerStats;
  /** Refuses new jobs and waits for running and queued ones; false when time ran out before. */
  drain(timeoutMs: number): Promise<boolean>;
  /** Fails the remaining jobs with 'busy' and stops every process. */
  close(): Promise<void>;
}

/** Runs models in child processes, so that neither a crash nor a long computation reaches the service. */
export function createProcessRunner(options: ProcessRunnerOptions): ProcessRunner {
  const inFlight = new Set<Promise<unknown>>();
  let refusing = false;
  const processes = options.processes || availableParallelism();
  const pixelFiles = options.sharing && new PixelFiles(options.sharing);
  const dispatcher = new Dispatcher({
    queueMax: options.queueMax,
    maxRunningPerOwner: options.maxRunningPerOwner,
    maxRunningBesideOthers: options.halvesBesideOthers ? Math.ceil(processes / 2) : undefined,
    jobTimeoutMs: options.jobTimeoutMs,
    processes: () => pool.members,
    pixelFiles,
    onWanting: options.idleEndMs === undefined ? undefined : (jobs) => pool.want(jobs),
  });
  const pool: ProcessPool = new ProcessPool({
    processes,
    entry: options.entry ?? new URL('./process/main.js', import.meta.url),
    oomScoreAdj: options.oomScoreAdj,
    maxRssBytes: options.maxRssBytes,
    jobMaxRssBytes: options.jobMaxRssBytes,
    outgrownBy: options.outgrownBy ?? 'image',
    decodeMaxCpuMs: options.decodeMaxCpuMs ?? 10_000,
    idleEndMs: options.idleEndMs,
    recycleMinJobs: options.recycleMinJobs ?? 50,
    startTimeoutMs: options.startTimeoutMs ?? 60_000,
    settings: {
      type: 'settings',
      executionProvider: options.executionProvider ?? 'cpu',
      maxModels: options.maxModels ?? 16,
      maxModelBytes: options.maxModelBytes ?? 2 ** 30,
      niceness: options.niceness ?? 5,
      warm: (options.warm ?? []).map(({ id, version, dir }) => ({ id, version, dir })),
    },
    onEvent: options.onEvent ?? (() => {}),
    onFree: () => dispatcher.dispatch(),
  });

  async function submit(job: Job, runOptions: RunOptions): Promise<Finished> {
    if (refusing) throw new EngineError('busy', 'the engine is shutting down');
    const outcome = dispatcher.submit(job, runOptions);
    inFlight.add(outcome);
    try {
      return await outcome;
    } finally {
      inFlight.delete(outcome);
    }
  }

  return {
    async start() {
      await Promise.all([pool.start(), pixelFiles?.prepare()]);
    },
    async analyse(job, runOptions) {
      const { result, queueMs } = await submit({ kind: 'analyse', ...job }, runOptions);
      const analysis = result as Analysis;
      return { ...analysis, timingsMs: { queue: queueMs, ...analysis.timingsMs } };
    },
    async unpackJson(job, runOptions) {
      const { result } = await submit({ kind: 'unpack-json', ...job }, runOptions);
      return result as UnpackedJson;
    },
    stats: () => ({
      queued: dispatcher.depths(),
      processes: pool.members.map(({ pid, isReady, isBusy, state, jobsDone }) => ({
        pid,
        state: isBusy ? 'busy' : isReady ? 'idle' : 'starting',
        rssBytes: state.rssBytes,
        jobsDone,
        models: state.models.length,
      })),
      int8: pool.members.find(({ state }) => state.int8 !== undefined)?.state.int8 ?? null,
      ...pool.counts,
    }),
    async drain(timeoutMs) {
      refusing = true;
      const done = Promise.allSettled(inFlight).then(() => true);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), timeoutMs);
      });
      const finished = await Promise.race([done, late]);
      clearTimeout(timer);
      return finished;
    },
    async close() {
      refusing = true;
      dispatcher.refuseAll(new EngineError('busy', 'the engine is shutting down'));
      await pool.close();
    },
  };
}
