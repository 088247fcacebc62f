import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder } from '#server/storage/data-folder.js';
import { untilTrue } from '../../kill/until.js';
import { readObject } from '../../load/outcome.js';
import { unfinished } from './ledger.js';
import { type CustomStage, call } from './stage.js';

/** Files of features by their path, each with its inode: a rewritten file has another. */
export type KeptFeatures = ReadonlyMap<string, number>;

export async function readFeatures(dataDir: string): Promise<KeptFeatures> {
  const { featuresDir } = dataFolder(dataDir);
  // A folder that is deleted meanwhile fails the whole reading.
  const found = await readdir(featuresDir, { recursive: true, withFileTypes: true }).catch(() => []);
  const kept = new Map<string, number>();
  for (const entry of found) {
    if (!/^[0-9a-f]{64}$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const at = await stat(path).catch(() => undefined);
    if (at) kept.set(path, at.ino);
  }
  return kept;
}

/** The number of existing files that were written again. */
export function countMadeAgain(before: KeptFeatures, after: KeptFeatures): number {
  return [...before].filter(([path, inode]) => after.has(path) && after.get(path) !== inode).length;
}

const featuresWithinMs = 600_000;

/** Waits until a resumed training run has extracted its features: those in the cache must be the same files. */
export async function findFeaturesMadeAgain(
  stage: CustomStage,
  dataDir: string,
  before: KeptFeatures,
): Promise<readonly string[]> {
  const [id] = unfinished(stage.ledger).find(([, { kind }]) => kind === 'training') ?? [];
  if (id === undefined) return [];
  const states: string[] = [];
  const isBeyond = async () => {
    const { outcome, json } = await call(stage, 'GET', `/api/jobs/${id}`);
    if (outcome !== '200') return false;
    const progress = readObject(json['progress']);
    states.push(JSON.stringify(progress));
    // The last progress of the dead service stays until this one reports more.
    const isReported = states.some((state) => state !== states[0]);
    return json['ended_at'] !== null || (isReported && progress['stage'] !== 'features');
  };
  if (!(await untilTrue(isBeyond, featuresWithinMs)))
    return [
      `the training ${id} was not beyond its features in time: first ${states[0]}, last ${states.at(-1)}`,
    ];
  const again = countMadeAgain(before, await readFeatures(dataDir));
  return again === 0 ? [] : [`features of ${again} images were made again`];
}
