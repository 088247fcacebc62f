import type { TimelineInterval } from '@lynceus/client';

/** A part of a lane, as fractions of the whole, and the seconds that it stands for. */
export interface Span {
  readonly start: number;
  readonly width: number;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** Gaps below this fraction of the video cannot be seen, and spans below it cannot be clicked. */
const minShare = 0.004;

/**
 * The intervals of a lane in order, clipped to the video; those with an invisible gap between them are one. So a lane has at most
 * 250 spans, however many intervals there are.
 * @param durationSeconds above 0
 */
export function toSpans(intervals: readonly TimelineInterval[], durationSeconds: number): readonly Span[] {
  const within = (seconds: number) => Math.min(durationSeconds, Math.max(0, seconds));
  const merged: { from: number; to: number }[] = [];
  for (const { start_seconds, end_seconds } of [...intervals].sort(byStart)) {
    const [from, to] = [within(start_seconds), within(Math.max(start_seconds, end_seconds))];
    const last = merged.at(-1);
    if (last && from - last.to < minShare * durationSeconds) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged.map(({ from, to }) => {
    const width = Math.max(minShare, (to - from) / durationSeconds);
    return {
      start: Math.min(from / durationSeconds, 1 - width),
      width,
      fromSeconds: from,
      toSeconds: to,
    };
  });
}

function byStart(one: TimelineInterval, other: TimelineInterval): number {
  return one.start_seconds - other.start_seconds;
}

/** The second at a position in a lane, 0 to 1 from its left side. */
export function secondAt(share: number, durationSeconds: number): number {
  return Math.min(1, Math.max(0, share)) * durationSeconds;
}

/** A time in a video: `0:07`, `12:30`, `1:02:03`. */
export function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
