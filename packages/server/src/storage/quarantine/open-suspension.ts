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
export type SweepSuspensions = ReturnType<typeof openSweepSuspensions>;

export function openSweepSuspensions(
  folder: Pick<DataFolder, 'sweepSuspensionPath'>,
  objects: Pick<ObjectStorage, 'bucket'> | null,
) {
  const files = objects && bucketGuardFiles(objects.bucket);
  const readShared = async (nowMs: number): Promise<SweepSuspension | null> => {
    const text = await files?.read(name);
    if (files === null || text === null || text === undefined) return null;
    const suspension = parseSuspension(text, files.show(name));
    return suspension.untilMs > nowMs ? suspension : null;
  };
  return {
    /** The one in force that ends last; null when there is none or its time is over. */
    async read(nowMs: number): Promise<SweepSuspension | null> {
      const [own, shared] = [await readSweepSuspension(folder, nowMs), await readShared(nowMs)];
      if (own === null || shared === null) return own ?? shared;
      return own.untilMs >= shared.untilMs ? own : shared;
    },
    /** A later end that is set already is kept. */
    async suspend(suspension: SweepSuspension, nowMs: number) {
      await suspendSweeps(folder, suspension, nowMs);
      const shared = await readShared(nowMs);
      if (files === null || (shared !== null && shared.untilMs >= suspension.untilMs)) return;
      await files.write(name, `${JSON.stringify(suspension)}\n`);
    },
    /** Lets sweeps run again at once. */
    async resume() {
      await resumeSweeps(folder);
      await files?.remove(name);
    },
  };
}
