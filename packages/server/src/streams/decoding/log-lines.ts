import type { FrameInfo } from './frame-reader.js';

/** What a source sends, as ffmpeg describes it. */
export interface VideoInfo {
  /** As ffmpeg calls it: `h264`, `hevc`, `mjpeg`. */
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  /** As the source states it, which may be wrong; null when it states none. */
  readonly fps: number | null;
}

/** A line of the filter showinfo, or null. */
export function parseFrameInfo(line: string): FrameInfo | null {
  if (!line.startsWith('[Parsed_showinfo_') || !line.includes(' pts_time:')) return null;
  const [, position] = / pts_time:\s*(\S+)/.exec(line) ?? [];
  const [, width, height] = / s:(\d{1,6})x(\d{1,6}) /.exec(line) ?? [];
  if (width === undefined || height === undefined) return null;
  const seconds = Number(position);
  return {
    positionMs: Number.isFinite(seconds) ? Math.round(seconds * 1000) : null,
    sourceWidth: Number(width),
    sourceHeight: Number(height),
  };
}

/** The description of the first video of an input, or null: `Stream #0:0: Video: h264 (High), yuv420p, 1280x720, 25 fps`. */
export function parseVideoInfo(line: string): VideoInfo | null {
  const [, codec, rest = ''] = /Stream #0:\d+\S*: Video: (\w+)(.*)$/.exec(line) ?? [];
  const [, width, height] = /, (\d{2,6})x(\d{2,6})[\s,]/.exec(`${rest} `) ?? [];
  if (codec === undefined || width === undefined || height === undefined) return null;
  const [, fps] = /, ([\d.]+) fps/.exec(rest) ?? [];
  return { codec, width: Number(width), height: Number(height), fps: fps === undefined ? null : Number(fps) };
}
