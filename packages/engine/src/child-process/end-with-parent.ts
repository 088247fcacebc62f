import { Worker } from 'node:worker_threads';

/** The arguments of a process that ends with its parent. If an orphan asked the system, it would get another parent's id. */
export function parentArguments(): string[] {
  return [String(process.pid)];
}

/**
 * Ends this process when the one that started it with `parentArguments` is gone or closes the channel. A thread watches
 * the parent as well: native code blocks the thread that would see the channel close, and a graph may loop for ever. To be
 * called by an entry module, once.
 */
export function endWithParent(): void {
  const parent = Number(process.argv[2]);
  if (!Number.isInteger(parent)) throw new Error('only the engine starts this process');
  // Ctrl-C in a terminal, and some service managers, signal the whole group; the parent decides when to stop.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.once('disconnect', () => process.exit(0));
  const watch = new Worker(new URL('./watch-parent.js', import.meta.url), {
    name: 'watch-parent',
    workerData: parent,
    // Those of the process are for its main thread.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  });
  // Without it the channel still ends the process, except during native code.
  watch.on('error', () => undefined);
  watch.unref();
}
