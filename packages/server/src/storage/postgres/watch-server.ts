/** Whether the server is there. */
export interface ServerWatch {
  isReady(): true | string;
  /** Something failed because it is away. */
  noteAway(reason: string): void;
  stop(): Promise<void>;
}

const idleMs = 5000;
const awayMs = 500;

/** Asks now and then, and often while the server is away, so that its return is noticed without a request. */
export function watchServer(options: {
  /** Whether the server is there and of use; never rejects. */
  readonly ask: () => Promise<true | string>;
}): ServerWatch {
  let state: true | string = true;
  let isStopped = false;
  let asking: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  const ask = async (): Promise<void> => {
    state = await options.ask();
  };
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
    isReady: () => state,
    noteAway(reason) {
      const wasReady = state === true;
      state = reason;
      if (wasReady && !asking) schedule();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await asking;
    },
  };
}
