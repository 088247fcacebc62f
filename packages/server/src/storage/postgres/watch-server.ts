import type { ComponentState } from '../../core/lifecycle.js';

const idleMs = 5000;
const awayMs = 500;

/**
 * Whether the server is there.
 * Asks now and then, and often while the server is away, so that its return is noticed without a request.
 */
export function watchServer(options: {
  /** How long it may be away before the service counts as not ready. */
  readonly graceMs: number;
  /** Whether the server is there and of use; never rejects. */
  readonly ask: () => Promise<true | string>;
}) {
  let state: true | string = true;
  let awaySinceMs: number | null = null;
  let isStopped = false;
  let asking: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  const note = (found: true | string): void => {
    state = found;
    awaySinceMs = found === true ? null : (awaySinceMs ?? performance.now());
  };
  const ask = async (): Promise<void> => note(await options.ask());
  const schedule = (): void => {
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(
      () => {
        asking = ask().finally(() => {
          asking = null;
          schedule();
        });
      },
      state === true ? idleMs : awayMs,
    );
    timer.unref();
  };
  schedule();

  return {
    /** Degraded for the first time of an absence, then not ready. */
    isReady(): ComponentState {
      if (state === true || awaySinceMs === null) return true;
      return performance.now() - awaySinceMs < options.graceMs ? { degraded: state } : state;
    },
    /** Something failed because it is away. */
    noteAway(reason: string) {
      const wasReady = state === true;
      note(reason);
      if (wasReady && !asking) schedule();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await asking;
    },
  };
}
