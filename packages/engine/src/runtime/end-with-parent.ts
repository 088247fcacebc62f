import { Worker } from 'node:worker_threads';

/** The arguments of a process that ends with its parent. Asked of the system, an early orphan would name the wrong one. */
export function parentArguments(): string[] {
  return [String(process.pid)];
}

/**
 * Ends this process when the one that started it, with `parentArguments`, is gone, in the middle of a reckoning as well:
 * native code holds the thread that would hear the channel close, and a graph may loop for ever. To be called by an entry
 * module, once.
 */
export function endWithParent(): void {
  const parent = Number(process.argv[2]);
  if (!Number.isInteger(parent)) throw new Error('this process is started by the engine alone');
  const watch = new Worker(new URL('./watch-parent.js', import.meta.url), {
    name: 'watch-parent',
    workerData: parent,
    // Those of the process are for its main thread.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  });
  // The channel tells it too, unless somebody reckons.
  watch.on('error', () => undefined);
  watch.unref();
}
