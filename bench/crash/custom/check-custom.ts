import { setTimeout as sleep } from 'node:timers/promises';
import type { Storage } from '#server/storage/open-storage.js';
import { untilNone } from '../../kill/until.js';
import { readObject } from '../../load/outcome.js';
import { createVisitor } from '../../load/visitor.js';
import { openStorageBesideService } from '../../open-storage-beside-service.js';
import type { Service } from '../../service.js';
import { digestVersion } from './digest-version.js';
import { countMadeAgain, type KeptFeatures, readFeatures } from './kept-features.js';
import { type CustomLedger, unfinished } from './ledger.js';
import { findLeftOver, type LeftOverAsked } from './left-over.js';
import { findLostDatasets } from './lost-datasets.js';
import { findLostModels } from './lost-models.js';
import { adoptTrainings, findWrongEnds, followAll } from './lost-works.js';
import { findSilentModels } from './silent-models.js';
import { type CustomStage, call } from './stage.js';
import { readStoredCustom } from './stored-custom.js';

export interface CustomChecked extends LeftOverAsked {
  readonly key: string;
  readonly ledgers: readonly CustomLedger[];
  /** Cached features when the service died. */
  readonly features: KeptFeatures;
  /** Time for running jobs to end; 0: they are not awaited. */
  readonly waitMs: number;
}

/** In words. */
export interface CustomFound {
  readonly lost: readonly string[];
  /** Jobs that did not end in time, with their last state. */
  readonly late: readonly string[];
}

/** For the sweep of the start, which runs during the first answers, on a busy machine. */
const sweptWithinMs = 120_000;
const featuresWithinMs = 600_000;

/** Compares a restarted service with the acknowledged datasets and models. */
export async function checkCustom({ url }: Pick<Service, 'url'>, asked: CustomChecked): Promise<CustomFound> {
  const { dataDir, key, ledgers, waitMs } = asked;
  const visitor = createVisitor(url);
  const storage = await openStorageBesideService(dataDir);
  const lost: string[] = [];
  const late: string[] = [];
  try {
    for (const ledger of ledgers) {
      const stage = { visitor, key, ledger, digestVersion: (uid: string) => digestVersion(dataDir, uid) };
      const features = await featuresMadeAgain(stage, { dataDir, before: asked.features });
      const compared = await findCustomLosses(stage, storage, waitMs);
      lost.push(...features.lost, ...compared.lost);
      late.push(...features.late, ...compared.late);
    }
    const left = await untilNone(() => findLeftOver(storage, asked), sweptWithinMs);
    return { lost: [...lost, ...left], late };
  } finally {
    await storage.close();
    await visitor.close();
  }
}

/** Compares what one client knows with the database and the answers of a service. */
export async function findCustomLosses(
  stage: CustomStage,
  storage: Pick<Storage, 'database'>,
  waitMs: number,
): Promise<CustomFound> {
  const { ledger } = stage;
  const late = await followAll(stage, waitMs);
  const stored = await readStoredCustom(storage);
  adoptTrainings(ledger, stored);
  const there = [...ledger.models.keys()].filter((id) => stored.models.has(id));
  const lost = [
    ...ledger.wrong.splice(0),
    ...findLostDatasets(stored, ledger),
    ...(await findLostModels(stored, ledger, stage.digestVersion)),
    ...findWrongEnds(ledger, stored),
    ...(await findSilentModels(stage, there)),
  ];
  return { lost, late };
}

/** Waits until a resumed training run has extracted its features: those in the cache must be the same files. */
async function featuresMadeAgain(
  stage: CustomStage,
  { dataDir, before }: { readonly dataDir: string; readonly before: KeptFeatures },
): Promise<CustomFound> {
  const training = unfinished(stage.ledger).find(([, { kind }]) => kind === 'training');
  if (training === undefined) return { lost: [], late: [] };
  const deadline = performance.now() + featuresWithinMs;
  // The last progress of the dead service stays until this one reports more.
  let isOfBefore = true;
  let first: string | undefined;
  for (;;) {
    const { outcome, json } = await call(stage, 'GET', `/api/jobs/${training[0]}`);
    const progress = readObject(json['progress']);
    if (outcome === '200') {
      first ??= JSON.stringify(progress);
      isOfBefore &&= first === JSON.stringify(progress);
      if (json['ended_at'] !== null || (!isOfBefore && progress['stage'] !== 'features')) break;
    }
    if (performance.now() > deadline) {
      const at = `first ${first}, last ${outcome} ${JSON.stringify(json)}`;
      const words = `the training ${training[0]} was not beyond its features after ${featuresWithinMs / 1000} s: ${at}`;
      return { lost: [], late: [words] };
    }
    await sleep(100);
  }
  const again = countMadeAgain(before, await readFeatures(dataDir));
  return { lost: again === 0 ? [] : [`features of ${again} images were made again`], late: [] };
}
