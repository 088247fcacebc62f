import type { FrameChannel } from './frame-channel.js';
import type { LivePreview } from './live-preview.js';
import type { ShownFrame } from './shown-frame.js';

/** Frames of streams for whoever watches, whichever service runs the stream. */
export type Previews = ReturnType<typeof createPreviews>;

/** What one watches. */
export interface StreamView {
  /** The newest frame once there is a newer one than it answered last; null when there is none within the time, or when the signal fires. */
  next(withinMs: number): Promise<ShownFrame | null>;
}

interface PreviewsDeps {
  readonly createRemote: (accountId: number, streamId: number, onIdle: () => void) => FrameChannel;
}

export function createPreviews({ createRemote }: PreviewsDeps) {
  const live = new Map<string, LivePreview>();
  const remote = new Map<string, FrameChannel>();

  const channelOf = (accountId: number, streamId: number): FrameChannel => {
    const key = `${accountId} ${streamId}`;
    const here = live.get(key)?.channel ?? remote.get(key);
    if (here && !here.hasEnded) return here;
    const channel = createRemote(accountId, streamId, () => {
      if (remote.get(key) === channel) remote.delete(key);
    });
    remote.set(key, channel);
    return channel;
  };

  return {
    /** Until the signal fires. Whether there is such a stream is for the caller to know. */
    watch(accountId: number, streamId: number, signal: AbortSignal): StreamView {
      let channel: FrameChannel | null = null;
      let last: ShownFrame | null = null;
      return {
        async next(withinMs) {
          const untilMs = performance.now() + withinMs;
          for (let leftMs = withinMs; leftMs > 0 && !signal.aborted; leftMs = untilMs - performance.now()) {
            if (channel === null || channel.hasEnded) {
              channel = channelOf(accountId, streamId);
              channel.watch(signal);
              last = null;
            }
            const frame = await channel.next(last, leftMs, signal);
            if (frame === null) continue;
            last = frame;
            return frame;
          }
          return null;
        },
      };
    },
    /** A stream that this service runs from now on, until what it returns is called. */
    add(accountId: number, streamId: number, preview: LivePreview): () => void {
      const key = `${accountId} ${streamId}`;
      live.set(key, preview);
      // Whoever watches the stream of another service watches this one's from now on.
      remote.get(key)?.end();
      remote.delete(key);
      return () => {
        if (live.get(key) === preview) live.delete(key);
      };
    },
  };
}

/** Watches for the time of `work`. The signal of a request does not fire when it is answered, and would leave a watcher for ever. */
export async function withView<Result>(
  previews: Pick<Previews, 'watch'>,
  { accountId, streamId }: { readonly accountId: number; readonly streamId: number },
  signal: AbortSignal,
  work: (view: StreamView) => Promise<Result>,
): Promise<Result> {
  const done = new AbortController();
  try {
    return await work(previews.watch(accountId, streamId, AbortSignal.any([signal, done.signal])));
  } finally {
    done.abort();
  }
}
