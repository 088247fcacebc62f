import { Worker } from 'node:worker_threads';

/**
 * Ends this process when the one that started it is gone, in the middle of a reckoning as well: native code holds the
 * thread that would hear the channel close, and a graph may loop for ever. To be called by an entry module, once.
 */
export function endWithParent(): void {
  const watch = new Worker(new URL('./watch-parent.js', import.meta.url), {
    name: 'watch-parent',
    workerData: process.ppid,
    // Those of the process are for its main thread.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  });
  // The channel tells it too, unless somebody reckons.
  watch.on('error', () => undefined);
  watch.unref();
}
