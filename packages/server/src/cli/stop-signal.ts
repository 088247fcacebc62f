/** One that comes so soon after the first is the same: timeout(1) signals the process, and its group with it. */
const sameMs = 1000;

/** The first Ctrl-C or SIGTERM aborts the signal with this message, for an orderly end; a later one ends the process. */
export async function withStopSignal<T>(
  message: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  let firstMs = 0;
  const onSignal = (signal: NodeJS.Signals) => {
    if (!stop.signal.aborted) {
      firstMs = performance.now();
      stop.abort(new Error(message));
    } else if (performance.now() - firstMs > sameMs) process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    return await work(stop.signal);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}
