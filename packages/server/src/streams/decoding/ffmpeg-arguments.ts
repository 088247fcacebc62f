import type { Ffmpeg } from './find-ffmpeg.js';
import type { Pace } from './frame.js';

export interface DecodingArguments {
  readonly ffmpeg: Ffmpeg;
  readonly inputArgs: readonly string[];
  /** Frames a second at most, 0.1 to 30. */
  readonly fps: number;
  readonly keyFramesOnly: boolean;
  /** Of the frames, in pixels. */
  readonly maxWidth: number;
  readonly maxPixels: number;
  readonly threads: number;
  readonly pace: Pace;
  /** Whether the stream is also copied to descriptor 4. */
  readonly hasCopy: boolean;
}

/**
 * Arguments of an ffmpeg that writes frames (PPM) to descriptor 1, small grey ones (PGM) to 3, a line a frame to its log, and the
 * stream as it came (MPEG-TS) to 4. Each picture carries its size, so nothing has to be known of the source. Frames are chosen before
 * anything is computed of them; none is repeated when a source is slow.
 */
export function decodingArguments(options: DecodingArguments): string[] {
  const { ffmpeg, inputArgs, fps, keyFramesOnly, maxWidth, maxPixels, threads, pace, hasCopy } = options;
  const pictures = (label: string, codec: string, fd: number) => [
    ...['-map', label, ...ffmpeg.everyFrameArgs, '-c:v', codec, '-f', 'image2pipe', `pipe:${fd}`],
  ];
  const graph = [
    // The first frame of each interval; a little earlier than its time, because times are rounded.
    `[0:v:0]select='not(eq(floor(t*${fps}+0.01)\\,floor(prev_selected_t*${fps}+0.01)))'`,
    'sidedata=mode=delete',
    'showinfo=checksum=0',
    `scale=w='min(${maxWidth}\\,iw)':h=-2`,
    'split[all][small];[all]format=rgb24[frames];[small]scale=96:96:force_original_aspect_ratio=decrease:flags=area',
    'format=gray[grey]',
  ].join(',');
  return [
    ...['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'level+info'],
    ...['-threads', String(threads), '-max_pixels', String(maxPixels)],
    ...(pace === 'live' ? ['-fflags', 'nobuffer', '-flags', 'low_delay'] : []),
    ...(keyFramesOnly ? ['-skip_frame', 'nokey'] : []),
    ...inputArgs,
    ...['-filter_complex_threads', '1', '-filter_complex', graph],
    ...pictures('[frames]', 'ppm', 1),
    ...pictures('[grey]', 'pgm', 3),
    ...(hasCopy ? ['-map', '0:v:0', '-c:v', 'copy', '-f', 'mpegts', '-flush_packets', '1', 'pipe:4'] : []),
  ];
}
