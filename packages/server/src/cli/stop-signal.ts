/** The first Ctrl-C or SIGTERM aborts the signal with this message, for an orderly end; the next one ends the process. */
export async function withStopSignal<T>(
  message: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const ignore = () => process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  const onSignal = () => {
    ignore();
    stop.abort(new Error(message));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    return await work(stop.signal);
  } finally {
    ignore();
  }
}
