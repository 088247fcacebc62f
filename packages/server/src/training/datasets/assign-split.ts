import { createPauses } from '../../core/work-pauses.js';
import type { Database } from '../../storage/database.js';
import type { Dataset } from './dataset.js';
import { Fingerprints } from './fingerprints.js';
import type { Images } from './images.js';
import { groupNearInThread } from './near-thread.js';
import { assignSplits, type SplitImage } from './split.js';

/** What is held out for measuring unless a user sets it. */
export const usualHeldOut = 0.2;

export interface SplitCounts {
  /** By this call. */
  readonly assigned: number;
  readonly train: number;
  readonly heldOut: number;
}

/**
 * Splits the labelled images that have no split yet; those that have one keep it. Cut short it has split a part, and the
 * next call the rest.
 */
export type AssignSplit = (
  accountId: number,
  dataset: Dataset,
  heldOut: number,
  signal?: AbortSignal,
) => Promise<SplitCounts>;

const writtenAtOnce = 500;

export function createAssignSplit({
  database,
  images,
}: {
  readonly database: Database;
  readonly images: Pick<Images, 'walk'>;
}): AssignSplit {
  const { query } = database;
  return async (accountId, { id: datasetId }, heldOut, signal) => {
    const pause = createPauses(signal);
    const ids: number[] = [];
    const fingerprints = new Fingerprints();
    const seen: Omit<SplitImage, 'group'>[] = [];
    for await (const batch of images.walk(accountId, datasetId)) {
      for (const { id, fingerprint, sha256, split, labels, isLabelled } of batch) {
        if (!isLabelled && split === null) continue;
        ids.push(id);
        fingerprints.push(fingerprint);
        seen.push({ sha256, split, classes: [...new Set(labels.map(({ classId }) => classId))] });
        await pause();
      }
    }
    const groups = await groupNearInThread(fingerprints.toBits(), signal);
    const grouped: SplitImage[] = [];
    for (const [index, image] of seen.entries()) {
      grouped.push({ ...image, group: groups[index] ?? index });
      await pause();
    }
    const splits = await assignSplits(grouped, heldOut, pause);
    for (const split of ['train', 'held-out'] as const) {
      const wanted = ids.filter((_, index) => seen[index]?.split === null && splits[index] === split);
      for (let at = 0; at < wanted.length; at += writtenAtOnce) {
        await database.write([
          query
            .updateTable('dataset_image')
            .set({ split })
            .where('account_id', '=', accountId)
            .where('dataset_id', '=', datasetId)
            .where('id', 'in', wanted.slice(at, at + writtenAtOnce))
            .where('split', 'is', null),
        ]);
      }
    }
    const held = splits.filter((split) => split === 'held-out').length;
    const assigned = seen.filter(({ split }) => split === null).length;
    return { assigned, train: splits.length - held, heldOut: held };
  };
}
