import type { Storage } from '#server/storage/open-storage.js';
import { digestFile, makeKey, type Site, type SiteService, withStorage } from '../../kill/site.js';
import type { Work } from '../../kill/work.js';
import { createVisitor } from '../../load/visitor.js';
import { startOperations } from '../run-operations.js';
import { datasetOperations } from './dataset-operations.js';
import { type CustomLedger, createCustomLedger, unfinished } from './ledger.js';
import { findLostDatasets } from './lost-datasets.js';
import { findLostModels } from './lost-models.js';
import { adoptTrainings, findWrongEnds, followAll } from './lost-works.js';
import { findSilentModels } from './silent-models.js';
import type { CustomStage } from './stage.js';
import { readStoredCustom } from './stored-custom.js';
import { makeTrainingImages } from './training-images.js';
import { trainingOperations } from './training-operations.js';
import { versionOperations } from './version-operations.js';

export interface CustomWork extends Work {
  readonly ledgers: readonly CustomLedger[];
  /** Asks in the name of the client that trains. */
  withTraining<Result>(ask: (stage: CustomStage) => Promise<Result>): Promise<Result>;
}

/** For all jobs after the last round, on a busy machine: otherwise they take some ten seconds. */
const endsWithinMs = 600_000;

/**
 * Changes of datasets, imports, uploads of models and training runs: a client each, which goes to another service in each
 * round.
 * @param areFaultsExpected whether a fault may be the reason of any answer of 503
 */
export async function prepareCustomWork(site: Site, areFaultsExpected: boolean): Promise<CustomWork> {
  const key = await makeKey(site, 'custom');
  const common = { key, areFaultsExpected, digestVersion: site.digestVersion };
  const ofDatasets = { ...common, ledger: createCustomLedger() };
  const ofVersions = { ...common, ledger: createCustomLedger() };
  const ofTrainings = {
    ...common,
    ledger: createCustomLedger(),
    datasetId: await makeTrainingImages(serviceOf(site, 0), key),
  };
  const all = [ofDatasets, ofVersions, ofTrainings];
  const ledgers = all.map(({ ledger }) => ledger);
  const withStage = async <Result>(
    stage: (typeof all)[number],
    { url }: SiteService,
    ask: (stage: CustomStage) => Promise<Result>,
  ) => {
    const visitor = createVisitor(url);
    try {
      return await ask({ ...stage, visitor, areFaultsExpected: false });
    } finally {
      await visitor.close();
    }
  };
  return {
    ledgers,
    withTraining: (ask) => withStage(ofTrainings, serviceOf(site, 0), ask),
    start(round) {
      const at = (client: number) => serviceOf(site, round + client);
      const loads = [
        startOperations(at(0), ofDatasets, { clients: 1, operations: datasetOperations }),
        startOperations(at(1), ofVersions, { clients: 1, operations: versionOperations }),
        startOperations(at(2), ofTrainings, { clients: 1, operations: trainingOperations }),
      ];
      return {
        async over() {
          for (const load of loads) await load.over();
          // A kill or a fault may have ended what was running.
          for (const ledger of ledgers) for (const [, work] of unfinished(ledger)) work.crashes += 1;
        },
      };
    },
    isAcknowledged: () => true,
    check: ({ round, isLast }) =>
      withStorage(site, async (storage) => {
        const waitMs = isLast ? endsWithinMs : 0;
        const found: string[] = [];
        for (const each of all) {
          const find = (stage: CustomStage) => findCustomLosses(stage, storage, waitMs);
          found.push(...(await withStage(each, serviceOf(site, round), find)));
        }
        return [...found, ...(await findMissingImages(site, storage))];
      }),
    describe: () => describeLedgers(ledgers),
    close: async () => undefined,
  };
}

function serviceOf(site: Site, turn: number): SiteService {
  const services = site.services();
  const service = services[turn % services.length];
  if (service === undefined) throw new Error('no service runs');
  return service;
}

/** Compares what one client knows with the database and the answers of a service. Jobs that do not end in time are reported. */
async function findCustomLosses(
  stage: CustomStage,
  storage: Pick<Storage, 'database'>,
  waitMs: number,
): Promise<readonly string[]> {
  const { ledger } = stage;
  const late = await followAll(stage, waitMs);
  const stored = await readStoredCustom(storage);
  adoptTrainings(ledger, stored);
  const there = [...ledger.models.keys()].filter((id) => stored.models.has(id));
  return [
    ...ledger.wrong.splice(0),
    ...findLostDatasets(stored, ledger),
    ...(await findLostModels(stored, ledger, stage.digestVersion)),
    ...findWrongEnds(ledger, stored),
    ...(await findSilentModels(stage, there)),
    ...late,
  ];
}

/** Images of datasets whose file is gone or another one than was sent. */
async function findMissingImages(site: Site, storage: Pick<Storage, 'database'>): Promise<readonly string[]> {
  const files = await site.openFiles('datasets');
  try {
    const missing: string[] = [];
    for (const [id, { blobId, sha256 }] of (await readStoredCustom(storage)).images) {
      const digest = await digestFile(files, blobId);
      if (digest !== sha256)
        missing.push(`image ${id} of a dataset ${digest === null ? 'has no file' : 'is another one'}`);
    }
    return missing;
  } finally {
    files.close();
  }
}

function describeLedgers(ledgers: readonly CustomLedger[]): string {
  const sizes = (maps: readonly ReadonlyMap<unknown, unknown>[]) =>
    maps.reduce((sum, { size }) => sum + size, 0);
  const images = sizes(
    ledgers.flatMap(({ datasets }) => [...datasets.values()].map((entry) => entry.images)),
  );
  const versions = sizes(
    ledgers.flatMap(({ models }) => [...models.values()].map((entry) => entry.versions)),
  );
  const works = ledgers.flatMap((ledger) => [...ledger.works.values()]);
  const ended = (['import', 'training', 'comparison'] as const).map((kind) => {
    const ofKind = works.filter((work) => work.kind === kind);
    return `${ofKind.filter(({ end }) => end !== null).length} of ${ofKind.length} ${kind}s`;
  });
  return `${images} images, ${versions} versions, ended ${ended.join(', ')}`;
}
