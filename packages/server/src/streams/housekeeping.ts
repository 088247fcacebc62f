import type { Component } from '../core/lifecycle.js';

interface Housekeeping {
  readonly name: string;
  /** Before anything is served. */
  readonly onStart: () => Promise<unknown>;
  /** Now and then, each by itself; what fails is done the next time. */
  readonly work: readonly (() => Promise<void>)[];
  readonly intervalMs: number;
  readonly onFailure: (error: unknown) => void;
}

/** A component that does small work every so often, one round at a time. */
export function createHousekeeping({ name, onStart, work, intervalMs, onFailure }: Housekeeping): Component {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStopping = false;
  const doAll = async () => {
    for (const each of work) if (!isStopping) await each().catch(onFailure);
  };
  return {
    name,
    async start() {
      await onStart();
      if (isStopping || work.length === 0) return;
      timer = setInterval(() => {
        running ??= doAll().finally(() => {
          running = undefined;
        });
      }, intervalMs).unref();
    },
    isReady: () => true,
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await running;
    },
  };
}
