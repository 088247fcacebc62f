import { execFile } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { JobFailure } from '../../service/jobs/job.js';
import type { Ffmpeg } from '../decoding/find-ffmpeg.js';
import { openedFile } from '../sources/stream-source.js';
import type { VideoInfo } from './video.js';

/** What is known of a file before it is decoded. */
export interface ProbedVideo extends Omit<VideoInfo, 'durationSeconds'> {
  /** Null where the file does not say. */
  readonly durationSeconds: number | null;
}

export interface ProbeOptions {
  /** ffprobe is beside it. */
  readonly ffmpeg: Pick<Ffmpeg, 'path' | 'guard' | 'view'>;
  readonly maxMemoryBytes: number;
  readonly maxSeconds: number;
  readonly signal: AbortSignal;
}

/** Of each side. */
export const maxVideoSidePx = 8192;
const timeoutMs = 60_000;
const cpuSeconds = 30;
const maxOutputBytes = 1024 * 1024;
/** Demuxers that read the containers of `identify-video.ts`; none of them opens another file. */
const videoDemuxers = 'mov,matroska,avi,mpegts';

const Text = Type.Optional(Type.String());
const Pixels = Type.Optional(Type.Integer({ minimum: 0 }));
const Probed = Type.Object({
  streams: Type.Array(
    Type.Object({
      codec_name: Text,
      width: Pixels,
      height: Pixels,
      avg_frame_rate: Text,
      duration: Text,
      disposition: Type.Optional(Type.Object({ attached_pic: Type.Optional(Type.Integer()) })),
      side_data_list: Type.Optional(Type.Array(Type.Object({ rotation: Type.Optional(Type.Number()) }))),
    }),
  ),
  format: Type.Object({ duration: Text }),
});
type ProbedStream = Static<typeof Probed>['streams'][number];

const entries =
  'format=duration:stream=codec_name,width,height,avg_frame_rate,duration:stream_disposition=attached_pic:stream_side_data=rotation';

/**
 * Reads the head of a video file in a process of its own, with limits of memory and time. Throws `JobFailure` for a file that cannot be
 * analysed, with the reason for its owner.
 */
export async function probeVideo(path: string, options: ProbeOptions): Promise<ProbedVideo> {
  const output = await runFfprobe(path, options);
  const probed: unknown = JSON.parse(output);
  if (!Value.Check(Probed, probed)) throw new JobFailure('the file is damaged: it says nothing of its video');
  const stream = probed.streams.find((each) => each.disposition?.attached_pic !== 1 && each.codec_name);
  if (!stream) throw new JobFailure('the file has no video that can be decoded');
  const { width, height } = shownSize(stream);
  if (width === 0 || height === 0) throw new JobFailure('the file is damaged: its video has no size');
  if (Math.max(width, height) > maxVideoSidePx) {
    throw new JobFailure(
      `the video has ${width} x ${height} pixels; ${maxVideoSidePx} a side are the most: make a smaller one`,
    );
  }
  const durationSeconds = positive(probed.format.duration) ?? positive(stream.duration);
  if (durationSeconds !== null && durationSeconds > options.maxSeconds) throw tooLong(options.maxSeconds);
  return { durationSeconds, width, height, codec: stream.codec_name ?? '', fps: toFps(stream) };
}

export function tooLong(maxSeconds: number): JobFailure {
  return new JobFailure(`the video is longer than ${maxSeconds} seconds: send it in parts`);
}

/** By a shell, which sets the limits; the kernel ends what uses more. */
const script = 'ulimit -v "$1" && ulimit -t "$2" || exit 70; exec 6<"$3"; shift 3; exec nice -n 10 "$@"';

function runFfprobe(path: string, { ffmpeg, maxMemoryBytes, signal }: ProbeOptions): Promise<string> {
  const args = [
    ...['-v', 'error', '-protocol_whitelist', 'file', '-format_whitelist', videoDemuxers],
    ...['-probesize', '20000000', '-analyzeduration', '20000000', '-select_streams', 'v'],
    ...['-show_entries', entries, '-of', 'json', '-i', openedFile],
  ];
  const limits = [String(Math.ceil(maxMemoryBytes / 1024)), String(cpuSeconds)];
  const probe = [...ffmpeg.view, ...ffmpeg.guard, ffprobeBeside(ffmpeg.path), ...args];
  const shell = ['/bin/sh', '-c', script, 'ffprobe', ...limits, path];
  const [program = '', ...words] = [...ffmpeg.guard, ...shell, ...probe];
  return new Promise((resolve, reject) => {
    execFile(
      program,
      words,
      {
        ...{ signal, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: maxOutputBytes, cwd: '/' },
        // No variable of the service is in it: it holds secrets.
        env: { PATH: process.env['PATH'], LC_ALL: 'C', AV_LOG_FORCE_NOCOLOR: '1' },
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else if (signal.aborted) reject(signal.reason);
        else reject(explain(error, stderr));
      },
    );
  });
}

/** Whatever is said of the file names its path, which is ours. */
function explain(
  error: Error & { readonly code?: unknown; readonly killed?: boolean },
  stderr: string,
): Error {
  if (error.code === 126 || error.code === 127 || error.code === 70) {
    return new Error('ffprobe could not be started', { cause: error });
  }
  const why = /moov atom not found/.test(stderr)
    ? 'it breaks off before its index, so it was not sent as a whole'
    : error.killed === true || error.code === null
      ? 'it takes too long, or too much memory, to read'
      : 'it is damaged, or of a kind that is not read';
  return new JobFailure(`the file cannot be read as a video: ${why}`, { cause: error });
}

export function ffprobeBeside(ffmpegPath: string): string {
  const name = basename(ffmpegPath).replace('ffmpeg', 'ffprobe');
  return ffmpegPath.includes('/') ? join(dirname(ffmpegPath), name) : name;
}

/** A quarter turn exchanges width and height. */
function shownSize({ width = 0, height = 0, side_data_list: sideData = [] }: ProbedStream) {
  const rotation = sideData.find((each) => each.rotation !== undefined)?.rotation ?? 0;
  return Math.abs(rotation) % 180 === 90 ? { width: height, height: width } : { width, height };
}

function toFps({ avg_frame_rate: rate = '' }: ProbedStream): number {
  const [frames = 0, seconds = 0] = rate.split('/').map(Number);
  const fps = seconds > 0 ? frames / seconds : 0;
  return Number.isFinite(fps) ? Math.round(fps * 1000) / 1000 : 0;
}

function positive(text: string | undefined): number | null {
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? value : null;
}
