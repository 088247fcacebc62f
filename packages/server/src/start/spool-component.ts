import { rmdir } from 'node:fs/promises';
import type { Component } from '../core/lifecycle.js';
import type { Spool } from '../intake/spool.js';

/** Swept when it was opened; in shared memory, its folder should not outlive the service. */
export function createSpoolComponent(spool: Spool): Component {
  return {
    name: 'spool',
    start: async () => {},
    isReady: () => true,
    // A file that is still in use keeps the folder, until the next start sweeps it.
    stop: () => rmdir(spool.dir).catch(() => undefined),
  };
}
