import type { DataFolder } from '../data-folder.js';
import type { ObjectStorage } from '../objects/object-storage.js';
import {
  parseSuspension,
  readSweepSuspension,
  resumeSweeps,
  type SweepSuspension,
  suspendSweeps,
} from '../sweep-suspension.js';
import { bucketGuardFiles } from './guard-files.js';

const name = 'sweeps-suspended.json';

/** Whether sweeps are suspended: of the data folder, and of all replicas where there is a bucket. */
export interface SweepSuspensions {
  /** The one in force that ends last; null when there is none or its time is over. */
  read(nowMs: number): Promise<SweepSuspension | null>;
  /** A later end that is set already is kept. */
  suspend(suspension: SweepSuspension, nowMs: number): Promise<void>;
  /** Lets sweeps run again at once. */
  resume(): Promise<void>;
}

export function openSweepSuspensions(
  folder: Pick<DataFolder, 'sweepSuspensionPath'>,
  objects: Pick<ObjectStorage, 'bucket'> | null,
): SweepSuspensions {
  const files = objects && bucketGuardFiles(objects.bucket);
  const readShared = async (nowMs: number): Promise<SweepSuspension | null> => {
    const text = await files?.read(name);
    if (files === null || text === null || text === undefined) return null;
    const suspension = parseSuspension(text, files.show(name));
    return suspension.untilMs > nowMs ? suspension : null;
  };
  return {
    async read(nowMs) {
      const [own, shared] = [await readSweepSuspension(folder, nowMs), await readShared(nowMs)];
      if (own === null || shared === null) return own ?? shared;
      return own.untilMs >= shared.untilMs ? own : shared;
    },
    async suspend(suspension, nowMs) {
      await suspendSweeps(folder, suspension, nowMs);
      const shared = await readShared(nowMs);
      if (files === null || (shared !== null && shared.untilMs >= suspension.untilMs)) return;
      await files.write(name, `${JSON.stringify(suspension)}\n`);
    },
    async resume() {
      await resumeSweeps(folder);
      await files?.remove(name);
    },
  };
}
