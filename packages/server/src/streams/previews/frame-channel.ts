import type { ShownFrame } from './shown-frame.js';

/** The newest frame of a stream, for all who watch it here. Who is slow misses frames. */
export interface FrameChannel {
  show(frame: ShownFrame): void;
  readonly last: ShownFrame | null;
  /** The newest frame once it is newer than `after`; null when there is none within the time, and when the signal fires or the channel ends. */
  next(after: ShownFrame | null, withinMs: number, signal: AbortSignal): Promise<ShownFrame | null>;
  /** Counts one who watches, until the signal fires. */
  watch(signal: AbortSignal): void;
  readonly watchers: number;
  /** Nothing is shown any more. */
  end(): void;
  readonly hasEnded: boolean;
}

export function createFrameChannel(onWatchers: (watchers: number) => void = () => undefined): FrameChannel {
  const waiting = new Set<() => void>();
  let last: ShownFrame | null = null;
  let watchers = 0;
  let hasEnded = false;
  const wakeAll = () => {
    for (const wake of [...waiting]) wake();
  };

  return {
    get last() {
      return last;
    },
    get watchers() {
      return watchers;
    },
    get hasEnded() {
      return hasEnded;
    },
    show(frame) {
      last = frame;
      wakeAll();
    },
    async next(after, withinMs, signal) {
      const isNew = () => last !== null && last.index > (after?.index ?? -1);
      if (!isNew() && !hasEnded && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            clearTimeout(timer);
            waiting.delete(wake);
            signal.removeEventListener('abort', wake);
            resolve();
          };
          const timer = setTimeout(wake, withinMs);
          waiting.add(wake);
          signal.addEventListener('abort', wake);
        });
      }
      return isNew() && !signal.aborted ? last : null;
    },
    watch(signal) {
      if (signal.aborted) return;
      watchers += 1;
      onWatchers(watchers);
      signal.addEventListener(
        'abort',
        () => {
          watchers -= 1;
          onWatchers(watchers);
        },
        { once: true },
      );
    },
    end() {
      hasEnded = true;
      last = null;
      wakeAll();
    },
  };
}
