import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findDeathGuard } from '@lynceus/engine';
import { StreamFailure } from '../sources/stream-source.js';
import { findReadOnlyView } from './read-only-view.js';

export interface Ffmpeg {
  /** As it was given: a name is looked for in PATH. */
  readonly path: string;
  readonly version: string;
  /** Arguments that leave out frames and repeat none; versions before 5.1 know them by another name. */
  readonly everyFrameArgs: readonly string[];
  /** A program and arguments before `path` by which the kernel ends ffmpeg with what started it; empty where it cannot. */
  readonly guard: readonly string[];
  /** What stands before `guard` so that ffmpeg sees little of the machine; empty where the system does not allow it. */
  readonly view: readonly string[];
}

const run = promisify(execFile);
const timeoutMs = 20_000;
const leastVersion = [4, 4] as const;

/**
 * Finds ffmpeg and what it can do. Throws `StreamFailure` `decoder`, with what to install.
 * @param hiddenDirs absolute paths of folders that it is not to see
 */
export async function findFfmpeg(path: string, hiddenDirs: readonly string[] = []): Promise<Ffmpeg> {
  const output = await run(path, ['-hide_banner', '-version'], { timeout: timeoutMs }).then(
    ({ stdout }) => stdout,
    (cause: unknown) => {
      throw new StreamFailure(
        'decoder',
        `ffmpeg is not there (${path}); install it, or name its path in the setting ffmpegPath`,
        { cause },
      );
    },
  );
  const version = /^ffmpeg version (\S{1,60})/.exec(output)?.[1];
  if (version === undefined)
    throw new StreamFailure('decoder', `${path} is no ffmpeg; correct the setting ffmpegPath`);
  const [major, minor] = versionOf(version, output);
  if (major < leastVersion[0] || (major === leastVersion[0] && minor < leastVersion[1])) {
    throw new StreamFailure('decoder', `ffmpeg ${version} is too old; install version 4.4 or later`);
  }
  const hasFpsMode = major > 5 || (major === 5 && minor >= 1);
  return {
    path,
    version,
    everyFrameArgs: [hasFpsMode ? '-fps_mode' : '-vsync', 'passthrough'],
    guard: await findDeathGuard(),
    view: await findReadOnlyView([path, '-version'], hiddenDirs),
  };
}

/** Builds of a day have no number; the version of a library says it: libavutil 57 belongs to ffmpeg 5. */
function versionOf(version: string, output: string): readonly [major: number, minor: number] {
  const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major !== undefined) return [Number(major), Number(minor)];
  const [, util, below] = /libavutil\s+(\d+)\.\s*(\d+)/.exec(output) ?? [];
  // 57.24 came with ffmpeg 5.1.
  if (util === '57') return [5, Number(below) >= 24 ? 1 : 0];
  return util === undefined ? [0, 0] : [Number(util) - 52, 4];
}
