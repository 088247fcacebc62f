import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { ExifTool, exiftoolPath } from 'exiftool-vendored';
import { createFairSemaphore } from '../../core/fair-semaphore.js';
import type { CommandOutput } from './command-output.js';
import { ExiftoolCommand, endOfOutput } from './exiftool-command.js';
import { KeywordError, perlUnavailable } from './keyword-error.js';

export interface ExiftoolProcessOptions {
  /** Processes at work at the same time, started as they are needed; one account has half of them. */
  readonly processes: number;
  /** For one command; the process that takes longer is ended. */
  readonly commandTimeoutMs: number;
  /** Address space of one process, so that an image whose metadata unfold without end takes no more. */
  readonly maxMemoryBytes: number;
  /** The interpreter. */
  readonly perl: string;
}

/** The processes of exiftool, each at work on one command at a time; perl is there and can run it. */
export type ExiftoolProcesses = ReturnType<typeof openExiftoolProcesses>;

export function openExiftoolProcesses(options: ExiftoolProcessOptions) {
  const { perl, maxMemoryBytes } = options;
  const startProcess = async () => {
    const words = [perl, await exiftoolPath(), '-config', '', '-stay_open', 'True', '-@', '-'];
    const [command = perl, ...args] = confine(words, maxMemoryBytes);
    // Nothing else of our environment: no options of perl, no configuration of exiftool, no secrets.
    const child = spawn(command, args, { stdio: 'pipe', env: { PATH: process.env['PATH'], LC_ALL: 'C' } });
    // The library hears no error of one that could not be started, for want of memory or of open files; it would end the service.
    await once(child, 'spawn');
    return child;
  };
  const exiftool = new ExifTool({
    processFactory: startProcess,
    pass: endOfOutput,
    fail: /$./,
    checkPerl: false,
    maxProcs: options.processes,
    taskTimeoutMillis: options.commandTimeoutMs,
    taskRetries: 0,
    minDelayBetweenSpawnMillis: 0,
    // Whoever waits for an answer keeps the program alive.
    unrefStreams: false,
  });

  // The library is first come, first served. A command goes on when its caller has left, and counts for its account until it ends.
  const withPermit = createFairSemaphore({
    permits: options.processes,
    maxWaiting: 1000,
    refusal: 'too many files are waiting for their metadata; try again shortly',
  });

  // The library would try again without end to start what cannot start, and let the work wait.
  const waiting = new Set<(error: Error) => void>();
  const failWaiting = (cause: unknown) => {
    for (const fail of waiting) fail(perlUnavailable(cause));
  };
  exiftool.on('startError', failWaiting);
  exiftool.on('childEnd', ({ starting, exitCode }) => {
    if (starting) failWaiting(new Error(`exiftool ended with ${exitCode} before it was ready`));
  });
  const failedStart = (work: Promise<unknown>) =>
    new Promise<never>((_, reject) => {
      waiting.add(reject);
      const forget = () => waiting.delete(reject);
      work.then(forget, forget);
    });

  return {
    /** As `run` of `Exiftool`, in the turns of this account; null: whoever runs a command of ours. */
    async run(
      args: readonly string[],
      signal: AbortSignal,
      accountId: number | null,
    ): Promise<CommandOutput> {
      const work = withPermit({ accountId, signal }, () =>
        exiftool.enqueueTask(() => new ExiftoolCommand(args), false).catch(explain),
      );
      return Promise.race([work, failedStart(work), whenAborted(signal, work)]);
    },
    pids: (): readonly number[] => exiftool.pids,
    close: () => exiftool.end(false),
  };
}

function whenAborted(signal: AbortSignal, work: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
    const forget = () => signal.removeEventListener('abort', abort);
    work.then(forget, forget);
  });
}

function explain(error: unknown): never {
  // The library's messages repeat the command, paths of this machine among it.
  const message = error instanceof Error ? error.message : String(error);
  if (/^timeout: /.test(message)) {
    throw new KeywordError('timed-out', 'the metadata of the file could not be worked on in time');
  }
  throw new KeywordError('interrupted', 'exiftool ended while it worked on the file; try again');
}

/**
 * A command within limits: its address space, and an end when our process has one. exiftool alone would wait for orders for
 * ever when we are killed. By programs of util-linux, which every Debian has; where one is missing its limit is too.
 */
function confine(words: readonly string[], maxMemoryBytes: number): string[] {
  return [
    ...programAt('/usr/bin/setpriv', ['--pdeathsig', 'KILL']),
    ...programAt('/usr/bin/prlimit', [`--as=${maxMemoryBytes}`]),
    ...words,
  ];
}

function programAt(path: string, args: readonly string[]): string[] {
  return existsSync(path) ? [path, ...args] : [];
}
