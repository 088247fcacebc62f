/** How many frames of all streams are analysed at once. */
export type FrameSlots = ReturnType<typeof createFrameSlots>;

interface FrameSlotsOptions {
  /** Inference processes. */
  readonly processes: number;
  /** Whether requests of users come at present. */
  readonly isInteractive: () => boolean;
}

/**
 * A frame that is being analysed is not interrupted. So while users ask, one process is left to them; else a request would wait for the
 * rest of a frame. In the order in which they came.
 */
export function createFrameSlots({ processes, isInteractive }: FrameSlotsOptions) {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const most = () => Math.max(1, isInteractive() ? processes - 1 : processes);
  const startNext = () => {
    while (taken < most()) {
      const start = waiting.shift();
      if (start === undefined) return;
      taken += 1;
      start();
    }
  };
  const createRelease = () => {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      taken -= 1;
      startNext();
    };
  };
  return {
    /** Waits for a slot; what it answers gives it back. Rejects with the signal's reason. */
    async take(signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          const at = waiting.indexOf(start);
          if (at >= 0) waiting.splice(at, 1);
          reject(signal.reason);
        };
        const start = () => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.push(start);
        startNext();
      });
      return createRelease();
    },
  };
}
