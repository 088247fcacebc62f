import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { ExifTool, exiftoolPath } from 'exiftool-vendored';
import { type CommandOutput, ExiftoolCommand, endOfOutput } from './exiftool-command.js';
import { KeywordError } from './keyword-error.js';

export interface ExiftoolOptions {
  /** Processes at work at the same time, started as they are needed. */
  readonly processes: number;
  /** For one command; the process that takes longer is ended. */
  readonly commandTimeoutMs: number;
  /** Address space of one process, so that an image whose metadata unfold without end takes no more. */
  readonly maxMemoryBytes: number;
  /** The interpreter, for tests. Default: `perl`, wherever the path finds it. */
  readonly perl?: string;
}

/** exiftool, kept running: starting it for each file would cost a quarter of a second. */
export interface Exiftool {
  /**
   * Runs one command. Arguments are passed as they are, one a line: one with a line break is refused. Throws
   * `KeywordError` 'unavailable', 'timed-out' or 'interrupted', and the signal's reason.
   */
  run(args: readonly string[], signal: AbortSignal): Promise<CommandOutput>;
  /** Its version; throws 'unavailable' with what is to be installed. */
  checkAvailable(): Promise<string>;
  /** Of its processes. */
  pids(): readonly number[];
  close(): Promise<void>;
}

export const defaultExiftoolOptions: ExiftoolOptions = {
  processes: 2,
  commandTimeoutMs: 60_000,
  maxMemoryBytes: 1024 ** 3,
};

const howToInstall =
  'keywords are written by exiftool, which needs perl 5 with Compress::Zlib, Digest::MD5 and Digest::SHA; ' +
  'install them (on Debian: apt-get install perl)';

/** Debian's smallest images have a perl without these: it would start, and read no compressed notes of a PNG. */
const modules = ['-MCompress::Zlib', '-MDigest::MD5', '-MDigest::SHA'];

export function startExiftool(options: ExiftoolOptions): Exiftool {
  const { perl = 'perl', maxMemoryBytes } = options;
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

  // The library would try again without end to start what cannot start, and let the work wait.
  const waiting = new Set<(error: Error) => void>();
  const failWaiting = (cause: unknown) => {
    for (const fail of waiting) fail(unavailable(cause));
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

  let started: Promise<void> | undefined;
  async function run(args: readonly string[], signal: AbortSignal): Promise<CommandOutput> {
    started ??= checkPerl(perl);
    await started.catch((error) => {
      started = undefined;
      throw error;
    });
    signal.throwIfAborted();
    const work = exiftool.enqueueTask(() => new ExiftoolCommand(args), false).catch(explain);
    return Promise.race([work, failedStart(work), whenAborted(signal, work)]);
  }

  return {
    run,
    async checkAvailable() {
      const { stdout } = await run(['-ver'], AbortSignal.timeout(options.commandTimeoutMs));
      return stdout.trim();
    },
    pids: () => exiftool.pids,
    close: () => exiftool.end(false),
  };
}

function unavailable(cause: unknown): KeywordError {
  return new KeywordError('unavailable', howToInstall, { cause });
}

async function checkPerl(perl: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn(perl, [...modules, '-e', 'exit 0'], { stdio: 'ignore' });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`perl ended with ${code}`))));
  }).catch((error) => {
    throw unavailable(error);
  });
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
