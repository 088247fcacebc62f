import type { Ffmpeg } from './find-ffmpeg.js';
import type { Pace } from './frame.js';

/** In pixels. */
export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

interface DecodingArguments {
  readonly ffmpeg: Ffmpeg;
  readonly inputArgs: readonly string[];
  /** Frames a second at most, 0.1 to 30. */
  readonly fps: number;
  readonly keyFramesOnly: boolean;
  /** Live: where in an interval a frame is chosen, 0 to 1. */
  readonly phase: number;
  /** Of the frames, in pixels. */
  readonly maxWidth: number;
  /** In the place of `maxWidth`: of every frame, with bars around images of another shape; null: as the source has it. */
  readonly frameSize: FrameSize | null;
  readonly maxPixels: number;
  readonly threads: number;
  readonly pace: Pace;
  /** Live: of what comes, for how long ffmpeg looks for video before it begins. */
  readonly analysisMs: number;
  /** Of the copy of the stream to descriptor 4; null: there is none. */
  readonly copyArgs: readonly string[] | null;
}

/**
 * Arguments of an ffmpeg that writes frames (PPM) to descriptor 1, small grey ones (PGM) to 3, a line a frame to its log, and the
 * stream as it came (MPEG-TS) to 4. Each image carries its size, so nothing has to be known of the source. Frames are chosen before
 * anything is computed of them; none is repeated when a source is slow.
 */
export function decodingArguments(options: DecodingArguments): string[] {
  const { ffmpeg, inputArgs, fps, keyFramesOnly, phase, maxPixels, threads, pace, analysisMs, copyArgs } =
    options;
  const images = (label: string, codec: string, fd: number) => [
    ...['-map', label, ...ffmpeg.everyFrameArgs, '-c:v', codec, '-f', 'image2pipe', `pipe:${fd}`],
  ];
  const graph = [
    `[0:v:0]select='${selection({ pace, fps, phase })}'`,
    'sidedata=mode=delete',
    'showinfo=checksum=0',
    scaling(options),
    'split[all][small];[all]format=rgb24[frames];[small]scale=96:96:force_original_aspect_ratio=decrease:flags=area',
    'format=gray[grey]',
  ].join(',');
  return [
    ...commonArgs,
    ...['-threads', String(threads), '-max_pixels', String(maxPixels)],
    ...(pace === 'live' ? liveArgs(analysisMs) : fileArgs),
    ...(keyFramesOnly ? ['-skip_frame', 'nokey'] : []),
    ...inputArgs,
    ...['-filter_complex_threads', '1', '-filter_complex', graph],
    ...images('[frames]', 'ppm', 1),
    ...images('[grey]', 'pgm', 3),
    ...(copyArgs === null ? [] : copyingOutput(copyArgs)),
  ];
}

function scaling({ maxWidth, frameSize }: Pick<DecodingArguments, 'maxWidth' | 'frameSize'>): string {
  if (frameSize === null) return `scale=w='min(${maxWidth}\\,iw)':h=-1`;
  const { width, height } = frameSize;
  // A negative place is the middle.
  return `scale=w=${width}:h=${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1`;
}

/** The video as it comes, as MPEG-TS to descriptor 4. */
export function copyingOutput(copyArgs: readonly string[]): string[] {
  return ['-map', '0:v:0', '-c:v', 'copy', ...copyArgs, '-f', 'mpegts', '-flush_packets', '1', 'pipe:4'];
}

/** ffmpeg would wait five seconds for sound that a header promises. */
export const usualAnalysisMs = 1000;
/** For streams that begin with sound alone, or with images that cannot be decoded by themselves. */
export const longAnalysisMs = 15_000;
/** Arguments of every ffmpeg that reads a live source. */
export const liveArgs = (analysisMs: number): readonly string[] => [
  ...['-analyzeduration', String(analysisMs * 1000), '-fpsprobesize', '0'],
];
const fileArgs: readonly string[] = ['-analyzeduration', String(longAnalysisMs * 1000)];
export const commonArgs: readonly string[] = [
  '-hide_banner',
  '-nostdin',
  '-nostats',
  '-loglevel',
  'level+info',
];

/**
 * The first frame of each interval. Live, by the clock: cameras state wrong times, or none. In files by position, a little before the
 * interval, because positions are rounded.
 */
function selection({ pace, fps, phase }: Pick<DecodingArguments, 'pace' | 'fps' | 'phase'>): string {
  if (pace === 'live')
    return `st(1\\,floor(time(0)*${fps}+${phase.toFixed(3)}))\\;if(eq(ld(1)\\,ld(0))\\,0\\,st(0\\,ld(1)))`;
  return `not(eq(floor(t*${fps}+0.01)\\,floor(prev_selected_t*${fps}+0.01)))`;
}
