import { spawn } from 'node:child_process';
import type { CommandOutput } from './command-output.js';
import type { ExiftoolProcesses, ExiftoolProcessOptions } from './exiftool-processes.js';
import { KeywordError, perlUnavailable } from './keyword-error.js';

export interface ExiftoolOptions extends Omit<ExiftoolProcessOptions, 'perl'> {
  /** The interpreter, for tests. Default: `perl`, wherever the path finds it. */
  readonly perl?: string;
}

/** Runs exiftool. */
export interface Exiftool {
  /**
   * Runs one command. Arguments are passed as they are, one a line: one with a line break is refused. Throws
   * `KeywordError` 'unavailable', 'timed-out' or 'interrupted', and the signal's reason.
   */
  run(args: readonly string[], signal: AbortSignal): Promise<CommandOutput>;
}

/** exiftool, kept running: starting it for each file would cost a quarter of a second. */
export interface RunningExiftool extends Exiftool {
  /** Runs commands of an account: accounts take turns, by the time that their commands took. */
  of(accountId: number): Exiftool;
  /** Its version; throws 'unavailable' with what is to be installed. */
  checkAvailable(): Promise<string>;
  /** Of its processes. */
  pids(): readonly number[];
  close(): Promise<void>;
}

export const defaultExiftoolOptions: ExiftoolOptions = {
  processes: 4,
  commandTimeoutMs: 60_000,
  maxMemoryBytes: 1024 ** 3,
};

/** Debian's smallest images have a perl without these: it would start, and read no compressed notes of a PNG. */
const modules = ['-MCompress::Zlib', '-MDigest::MD5', '-MDigest::SHA'];

export function startExiftool(options: ExiftoolOptions): RunningExiftool {
  const { perl = 'perl' } = options;
  let opening: Promise<ExiftoolProcesses> | undefined;
  let opened: ExiftoolProcesses | undefined;
  let isClosed = false;
  const refuseClosed = () => {
    if (isClosed) throw new KeywordError('interrupted', 'exiftool was closed; try again');
  };
  const open = async () => {
    await checkPerl(perl);
    // Few services write keywords: the others need not load the library and its time zones.
    const { openExiftoolProcesses } = await import('./exiftool-processes.js');
    refuseClosed();
    opened = openExiftoolProcesses({ ...options, perl });
    return opened;
  };
  const runOf = (accountId: number | null) => async (args: readonly string[], signal: AbortSignal) => {
    refuseClosed();
    opening ??= open();
    const processes = await opening.catch((error) => {
      opening = undefined;
      throw error;
    });
    signal.throwIfAborted();
    return processes.run(args, signal, accountId);
  };
  const run = runOf(null);

  return {
    run,
    of: (accountId) => ({ run: runOf(accountId) }),
    async checkAvailable() {
      const { stdout } = await run(['-ver'], AbortSignal.timeout(options.commandTimeoutMs));
      return stdout.trim();
    },
    pids: () => opened?.pids() ?? [],
    async close() {
      isClosed = true;
      const processes = await opening?.catch(() => undefined);
      await processes?.close();
    },
  };
}

async function checkPerl(perl: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn(perl, [...modules, '-e', 'exit 0'], { stdio: 'ignore' });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`perl ended with ${code}`))));
  }).catch((error) => {
    throw perlUnavailable(error);
  });
}
