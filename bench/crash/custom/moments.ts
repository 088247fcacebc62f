import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder } from '#server/storage/data-folder.js';
import { between } from '../../kill/chance.js';
import { untilTrue } from '../../kill/until.js';
import { readFeatures } from './kept-features.js';

/** When the service is killed, judged by its files; `training` is everything between the features and the file. */
export const moments = ['features', 'training', 'writing', 'activate', 'anywhere'] as const;
export type Moment = (typeof moments)[number];

const lookEveryMs = 10;
/** Then it is killed in any state. */
const longestMs = 40_000;
const shortestMs = 300;

/** Waits for a moment of a training run on this number of images; returns whether it came. */
export async function waitForMoment(moment: Moment, dataDir: string, images: number): Promise<boolean> {
  await sleep(shortestMs);
  const { customModelsDir } = dataFolder(dataDir);
  const drafts = join(customModelsDir, 'drafts');
  const trained = new Set(await trainedFolders(customModelsDir));
  const wanted = Math.floor(between(1, images));
  const hasCome = async (): Promise<boolean> => {
    switch (moment) {
      case 'features': {
        const { size } = await readFeatures(dataDir);
        // They also become fewer, when their model is deleted.
        return size >= wanted && size < images && (await emptyFolders(drafts)).length > 0;
      }
      case 'training': {
        const { size } = await readFeatures(dataDir);
        return size >= images && (await emptyFolders(drafts)).length > 0;
      }
      case 'writing':
        return (await trainedFolders(drafts, 'model.onnx')).length > 0;
      case 'activate':
        return (await trainedFolders(customModelsDir)).some((name) => !trained.has(name));
      case 'anywhere':
        return true;
    }
  };
  if (!(await untilTrue(hasCome, longestMs, lookEveryMs))) return false;
  await sleep(between(0, latestMs[moment]));
  return true;
}

/** Maximum random delay. */
const latestMs: Readonly<Record<Moment, number>> = {
  features: 50,
  training: 1500,
  writing: 400,
  activate: 10,
  anywhere: 5000,
};

/** Folders of versions that were trained: an upload has `source` beside its files. */
async function trainedFolders(dir: string, file = 'report.json'): Promise<readonly string[]> {
  const names = await readdir(dir).catch(() => []);
  const has = (name: string, inIt: string) =>
    stat(join(dir, name, inIt)).then(
      () => true,
      () => false,
    );
  const found: string[] = [];
  for (const name of names) if ((await has(name, file)) && !(await has(name, 'source'))) found.push(name);
  return found;
}

async function emptyFolders(dir: string): Promise<readonly string[]> {
  const names = await readdir(dir).catch(() => []);
  const empty: string[] = [];
  for (const name of names)
    if ((await readdir(join(dir, name)).catch(() => ['gone'])).length === 0) empty.push(name);
  return empty;
}
