import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { parentArguments } from './end-with-parent.js';

export interface ChildOptions {
  /** The module that the process runs. It calls `endWithParent`. */
  readonly entry: URL;
  readonly execArgv?: readonly string[];
  /** Of `findDeathGuard`; without it the process ends with us all the same, as long as it is not paused. */
  readonly guard?: readonly string[];
  /** Of `findIdleScheduler`: the process runs only while no other wants its core. */
  readonly scheduler?: readonly string[];
  readonly cwd?: string;
  /** `advanced` (structured clone) unless given. */
  readonly serialization?: 'json' | 'advanced';
  /** Where its output and that of native libraries goes. Never to standard output, which may be piped to another program. */
  readonly output: 'stderr' | 'ignore';
  /** Scheduling priority from the start on, 0 to 19; undefined: as ours. */
  readonly niceness?: number;
  /**
   * `oom_score_adj` on Linux, 0 to 1000: when memory runs out, a process with a higher one is killed first; undefined: as
   * ours.
   */
  readonly oomScoreAdj?: number | undefined;
  readonly onMessage: (message: unknown) => void;
}

export interface ChildLimits {
  readonly maxRssBytes?: number | undefined;
  /** Processor time from now on, as the kernel counts it: waiting for a core does not count. Linux alone has it. */
  readonly maxCpuMs?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type ReachedLimit =
  | { readonly limit: 'memory'; readonly rssBytes: number }
  | { readonly limit: 'cpu' | 'time' | 'abort' };

export interface ChildExit {
  /** For logs: `signal SIGKILL`, `exit code 1`, or why it could not be started. */
  readonly cause: string;
  readonly wasStarted: boolean;
  /** V8 ends a process that outgrows its heap with SIGABRT or SIGTRAP. */
  readonly wasAborted: boolean;
}

/** A process that runs a graph takes one or two gigabytes a second. */
const watchEveryMs = 50;
/** Processor time is counted in ticks of 10 ms, and its limits are seconds. */
const watchCpuEveryMs = 250;
/** The unit of times in /proc, `USER_HZ`, is a hundredth of a second on every platform that Node runs on. */
const tickMs = 10;

/**
 * A child process with limits. It gets none of our secrets, and does not outlive us. Its limits are monitored from here,
 * because a process that runs a graph cannot monitor itself.
 */
export class ChildHost {
  readonly #child: ChildProcess;
  readonly #mayPause: boolean;
  readonly #stopWatches = new Set<() => void>();
  /** Resolves when the process is gone, or could not be started. */
  readonly exited: Promise<ChildExit>;

  constructor(options: ChildOptions) {
    const { entry, execArgv = [], guard = [], scheduler = [], cwd, output } = options;
    const { serialization = 'advanced' } = options;
    const to = output === 'stderr' ? 2 : 'ignore';
    const [program, ...words] = [...guard, ...scheduler, process.execPath, ...execArgv];
    this.#mayPause = guard.length > 0;
    this.#child = fork(entry, parentArguments(), {
      execPath: program ?? process.execPath,
      execArgv: words,
      serialization,
      env: childEnvironment(process.env),
      stdio: ['ignore', to, to, 'ipc'],
      ...(cwd !== undefined && { cwd }),
    });
    this.#prioritise(options);
    this.#child.on('message', options.onMessage);
    this.exited = new Promise((resolve) => {
      const end = (cause: string, wasAborted: boolean) => {
        for (const stop of this.#stopWatches) stop();
        resolve({ cause, wasStarted: this.pid !== undefined, wasAborted });
      };
      this.#child.once('exit', (code, signal) => {
        const wasAborted = signal === 'SIGABRT' || signal === 'SIGTRAP' || code === 134;
        end(signal ? `signal ${signal}` : `exit code ${code}`, wasAborted);
      });
      this.#child.on('error', (error) => {
        // A process that could not be started has no exit; for any other error (a failed send) the exit follows.
        if (this.pid === undefined) end(error.message, false);
        else this.kill();
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /**
   * Memory as the kernel counts it on Linux; undefined elsewhere and when the process is gone. Takes 35 to 74
   * microseconds, also while the process runs a graph and answers nothing itself.
   */
  get rssBytes(): number | undefined {
    try {
      const status = readFileSync(`/proc/${this.pid}/status`, 'latin1');
      const [, kibibytes] = /^VmRSS:\s*(\d+) kB/m.exec(status) ?? [];
      return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
    } catch {
      return undefined;
    }
  }

  /** Processor time of all its threads so far, as the kernel counts it on Linux; undefined as for `rssBytes`. */
  get cpuMs(): number | undefined {
    try {
      const stat = readFileSync(`/proc/${this.pid}/stat`, 'latin1');
      // The program's name may contain spaces; the field after it is the third, and the times are fields 14 and 15.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * tickMs;
    } catch {
      return undefined;
    }
  }

  /** Does nothing when the process is going; its exit settles what there is to settle. */
  send(message: object): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  /**
   * Kills the process at the first limit that it reaches, and calls `reached` once. The watch ends with the process, or when
   * the returned function is called.
   */
  watch(
    { maxRssBytes, maxCpuMs, timeoutMs, signal }: ChildLimits,
    reached: (by: ReachedLimit) => void,
  ): () => void {
    const end = (by: ReachedLimit) => {
      stop();
      this.kill();
      reached(by);
    };
    const abort = () => end({ limit: 'abort' });
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => end({ limit: 'time' }), timeoutMs);
    const checkMemory = (maxBytes: number) => {
      const { rssBytes } = this;
      if (rssBytes !== undefined && rssBytes > maxBytes) end({ limit: 'memory', rssBytes });
    };
    const poll =
      maxRssBytes === undefined ? undefined : setInterval(() => checkMemory(maxRssBytes), watchEveryMs);
    const checkCpu = (maxTotalMs: number) => {
      if ((this.cpuMs ?? 0) > maxTotalMs) end({ limit: 'cpu' });
    };
    const pollCpu =
      maxCpuMs === undefined
        ? undefined
        : setInterval(checkCpu, watchCpuEveryMs, maxCpuMs + (this.cpuMs ?? 0));
    signal?.addEventListener('abort', abort, { once: true });
    const stop = () => {
      this.#stopWatches.delete(stop);
      clearTimeout(timer);
      clearInterval(poll);
      clearInterval(pollCpu);
      signal?.removeEventListener('abort', abort);
    };
    this.#stopWatches.add(stop);
    if (signal?.aborted) abort();
    return stop;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Stops all its threads until `resume`. False without a guard: a process that stands still would outlive us. */
  pause(): boolean {
    return this.#mayPause && this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  /** Closes the channel; the process then exits by itself. */
  disconnect(): void {
    if (this.#child.connected) this.#child.disconnect();
  }

  #prioritise({ niceness, oomScoreAdj }: Pick<ChildOptions, 'niceness' | 'oomScoreAdj'>): void {
    if (this.pid === undefined) return;
    try {
      // At once: on Linux each thread inherits the priority of the one that starts it, and none has started yet.
      if (niceness !== undefined) setPriority(this.pid, Math.max(niceness, getPriority()));
    } catch {
      // Not allowed everywhere; then it has our priority.
    }
    try {
      if (oomScoreAdj !== undefined) writeFileSync(`/proc/${this.pid}/oom_score_adj`, String(oomScoreAdj));
    } catch {
      // Linux alone has it.
    }
  }
}

/** Only variables named here reach the process: it reads untrusted files, so keys and passwords stay out. */
function childEnvironment(ours: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const passed = Object.entries(ours).filter(
    ([name]) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix)),
  );
  return {
    // One job at a time needs few helper threads, and each would bring a heap of its own to fragment.
    UV_THREADPOOL_SIZE: '2',
    MALLOC_ARENA_MAX: '2',
    // From 1.29 on, ONNX Runtime sends usage data to its maker unless this is set.
    ORT_DISABLE_TELEMETRY: '1',
    ...Object.fromEntries(passed),
  };
}

const names = new Set(['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot']);
const prefixes = ['LC_', 'LD_', 'MALLOC_', 'UV_', 'CUDA_', 'NVIDIA_', 'ORT_', 'OMP_', 'VIPS_'];
