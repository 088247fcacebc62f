import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Ffmpeg } from './find-ffmpeg.js';
import { LineReader } from './line-reader.js';

export interface FfmpegOptions {
  readonly ffmpeg: Ffmpeg;
  /** What follows the program's name; visible to all users of the machine. */
  readonly args: readonly string[];
  /** What it reads at descriptor 5, or null. */
  readonly input: string | AsyncIterable<Buffer> | null;
  /** An absolute path of a file that it reads as `openedFile`, or null. */
  readonly inputPath?: string | null;
  /** An absolute path of a file that it writes as `writtenFile`, or null. */
  readonly outputPath?: string | null;
  /** Its standard output; null: it has none. It is destroyed here once ffmpeg has it. */
  readonly frames: Socket | null;
  /** Of address space; 0: no limit. */
  readonly maxMemoryBytes: number;
  /** Scheduling priority, 0 to 19. */
  readonly niceness: number;
  /** Lines of its log, at most `maxLineLength` characters, with the level such as `error` as ffmpeg gives it. */
  readonly onLine: (line: string, level: string) => void;
}

/** As `openedFile`, for the one that it writes. */
export const writtenFile = 'file:/dev/fd/7';

const maxLineLength = 1000;
const killAfterMs = 2000;

/**
 * The shell stays as parent: it ends ffmpeg when it reads a line, kills it when the pipe closes, as it does with the end of the
 * service, and returns its exit code. So nothing is left for process 1 to collect.
 */
const script = `[ "$1" -gt 0 ] && ulimit -v "$1"
niceness=$2
exec 6<"\${3:-/dev/null}" 7<>"\${4:-/dev/null}" || exit 1
shift 4
nice -n "$niceness" "$@" </dev/null &
child=$!
exec >/dev/null 2>&1 3>&- 4>&- 5>&- 6<&- 7>&-
signal=KILL
read -r _ && signal=TERM
kill -$signal "$child"
wait "$child"`;

/** A run of ffmpeg in a process group of its own. It cannot outlive the service, however that ends. */
export class FfmpegProcess {
  readonly #child: ChildProcess;
  #closed: Promise<void> | undefined;
  #isClosing = false;
  /** Descriptors 3 and 4. */
  readonly outputs: readonly [grey: Readable, copy: Readable];
  /** Resolves when it is gone: its exit code, 128 and the signal where a signal ended it, or null where it could not be started. */
  readonly exited: Promise<number | null>;

  constructor(options: FfmpegOptions) {
    const { ffmpeg, args, input, frames, maxMemoryBytes, niceness, onLine } = options;
    const limits = [String(Math.ceil(maxMemoryBytes / 1024)), String(niceness)];
    const files = [options.inputPath ?? '', options.outputPath ?? ''];
    const guarded = [...ffmpeg.view, ...ffmpeg.guard, ffmpeg.path, ...args];
    const shell = [...ffmpeg.guard, '/bin/sh', '-c', script, 'ffmpeg', ...limits, ...files];
    const [program = '', ...words] = [...shell, ...guarded];
    this.#child = spawn(program, words, {
      stdio: ['pipe', frames ?? 'ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
      env: childEnvironment(process.env),
      cwd: '/',
    });
    frames?.destroy();
    const stdio: readonly (Readable | Writable | null | undefined)[] = this.#child.stdio;
    for (const stream of stdio) stream?.on('error', () => undefined);
    const [, , log, grey, copy, text] = stdio;
    if (!(log instanceof Readable && grey instanceof Readable && copy instanceof Readable)) {
      throw new Error('ffmpeg has no pipes');
    }
    this.outputs = [grey, copy];
    const lines = new LineReader(maxLineLength, (line) => {
      const [, level = 'info'] = /\[(panic|fatal|error|warning|info|verbose)\] /.exec(line) ?? [];
      onLine(line, level);
    });
    log.on('data', (chunk: Buffer) => lines.push(chunk));
    this.exited = new Promise((resolve) => {
      this.#child.once('error', () => resolve(null));
      this.#child.once('exit', (code, signal) => {
        const status = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
        // The last lines say why.
        if (log.readableEnded || log.destroyed) resolve(status);
        else log.once('close', () => resolve(status));
      });
    });
    if (text instanceof Writable) {
      // It may end before it has read everything.
      if (input === null || typeof input === 'string') text.end(input ?? '');
      else pipeline(Readable.from(input, { objectMode: false }), text).catch(() => undefined);
      this.exited.then(() => text.destroy());
    }
    // Its log ends with it; the shell waits for a word.
    log.once('close', () => this.#end());
  }

  /** The shell and leader of the process group; undefined when it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Ends it: politely, and after two seconds by force. Resolves when it is gone. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#end();
    // Nobody reads any more; a full pipe would hold it up.
    for (const stream of this.outputs) stream.destroy();
    await this.exited;
  }

  #end(): void {
    const { stdin, pid } = this.#child;
    if (this.#isClosing || stdin === null) return;
    this.#isClosing = true;
    stdin.write('end\n');
    const kill = () => {
      stdin.end();
      if (pid === undefined) return;
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // It is gone.
      }
    };
    const timer = setTimeout(kill, killAfterMs);
    this.exited.then(() => clearTimeout(timer));
  }
}

/** No variable of the service is in it: it holds secrets, and ffmpeg heeds such as `http_proxy`. */
function childEnvironment({ PATH, LD_LIBRARY_PATH }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...(PATH !== undefined && { PATH }),
    ...(LD_LIBRARY_PATH !== undefined && { LD_LIBRARY_PATH }),
    LC_ALL: 'C',
    AV_LOG_FORCE_NOCOLOR: '1',
    // Each arena reserves address space, which is limited.
    MALLOC_ARENA_MAX: '2',
  };
}
