import type { InstallOptions } from '@lynceus/engine';
import { createInstallProgress, type Terminal } from './install-progress.js';

/** Shows progress while `work` runs, and lets a first Ctrl-C end it in good order. */
export async function whileWatched<T>(
  terminal: Terminal,
  work: (options: InstallOptions) => Promise<T>,
): Promise<T> {
  const progress = createInstallProgress(terminal);
  const stop = new AbortController();
  const onSignal = () =>
    stop.abort(new Error('Stopped. What was downloaded is kept; run it again to continue.'));
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    return await work({ onProgress: progress.show, signal: stop.signal });
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    progress.close();
  }
}
