import type { Component } from '../core/lifecycle.js';
import type { AccountFiles } from '../storage/account-files.js';
import type { Database } from '../storage/database.js';
import type { SweptStore } from '../storage/quarantine/sweep-store.js';
import type { Sweep } from '../storage/sweeps/sweep.js';
import type { ImageOwner } from '../storage/thumbnails/thumbnail-files.js';
import type { JobKind } from './jobs/job.js';

/** Whether there is an image of this id still, by its row or its file. */
export type IsImageThere = (id: string) => Promise<boolean>;

/** What a domain brings to the service that runs it, beside what others call: gathered from all modules, in their order. */
export interface Module {
  /** Jobs that it does. */
  readonly kinds?: readonly JobKind[];
  /** Its periodic work: what it deletes when its time is over. */
  readonly sweeps?: readonly Sweep[];
  /** Its files, of which those that no row names go to quarantine. */
  readonly sweptStores?: readonly SweptStore[];
  /** Its files of accounts, which go with their account. */
  readonly accountFiles?: readonly AccountFiles[];
  /** Its images, which have thumbnails. */
  readonly images?: Readonly<Partial<Record<ImageOwner, IsImageThere>>>;
  /** Started before anything is served, stopped when nothing is served any more. */
  readonly component?: Component;
}

/** Of deletions that are under way most are younger. */
const cutForMs = 600_000;

/** A sweep of deletions that were cut short while the service ran, as where its object store was away. */
export function sweepCutDeletions(
  name: string,
  deletion: { finish(hiddenForMs: number): Promise<number> },
): Sweep {
  return plainSweep(name, () => deletion.finish(cutForMs));
}

/** A component that finishes deletions that were cut short, before anything is served. */
export function finishDeletions(name: string, deletion: { finish(): Promise<number> }): Component {
  return {
    name,
    async start() {
      await deletion.finish();
    },
    isReady: () => true,
    stop: async () => {},
  };
}

/** A sweep that deletes rows: of several services on a database the one that leads runs it. */
export function ledSweep(name: string, work: (database: Database) => Promise<unknown>): Sweep {
  return {
    name,
    isLed: true,
    async run(database) {
      await work(database);
      return 'done';
    },
  };
}

/** A sweep of what this service alone has, that never waits for an operator. */
export function plainSweep(name: string, work: () => Promise<unknown>): Sweep {
  return {
    name,
    async run() {
      await work();
      return 'done';
    },
  };
}
