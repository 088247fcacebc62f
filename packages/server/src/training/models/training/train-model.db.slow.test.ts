import { randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TrainingError, type TrainingJob } from '@lynceus/engine';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../core/clock.js';
import { ServiceError } from '../../../core/service-error.js';
import type { Job } from '../../../service/jobs/job.js';
import { createJobs } from '../../../service/jobs/jobs.js';
import type { JobsComponent } from '../../../service/jobs/jobs-component.js';
import { createServiceJobs } from '../../../start/service-jobs.js';
import { createDiskGuard, type DiskGuard } from '../../../storage/disk-guard.js';
import { createProcessLeases } from '../../../storage/leases/process-leases.js';
import type { Dataset } from '../../datasets/dataset.js';
import { openStoredModels, type StoredModels } from '../fixtures/stored-models.js';
import type { Model } from '../model.js';
import { classifierReport } from '../reports/fixtures/reports.js';
import { createStartRun } from './start-run.js';
import { createTrainModel, type Train, toTrainingJob } from './train-model.js';
import type { TrainingRequest } from './training-request.js';

let stored: StoredModels;
let account: number;
let model: Model;
const components: JobsComponent[] = [];
const dataset: Dataset = {
  id: 1001,
  uid: randomUUID(),
  name: 'zoo',
  task: 'classification',
  multiLabel: false,
  createdAt: 0,
};
const wanted: TrainingRequest = { datasetId: 1001, noneOfThese: false, seed: 1, isActivated: true };

beforeEach(async () => {
  stored = await openStoredModels();
  account = await stored.makeAccount('one');
  model = await stored.models.create(account, { name: 'animals', description: '', task: 'classification' });
});
afterEach(async () => {
  for (const component of components.splice(0)) await component.drain?.(AbortSignal.timeout(5000));
  await stored.close();
});

const train: Train = async (job) => {
  await writeOutcome(job);
  return { report: classifierReport };
};

async function writeOutcome({ outDir, title, labels }: TrainingJob): Promise<void> {
  await mkdir(outDir, { recursive: true });
  await writeFile(join(outDir, 'model.onnx'), 'a graph');
  const input = { fit: 'squash', width: 8, height: 8 };
  const manifest = { id: 'trained', version: '1', title, family: 'classifier', input, labels };
  await writeFile(join(outDir, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(join(outDir, 'report.json'), JSON.stringify(classifierReport));
}

/** A service that trains so; started until the test is over. */
async function startService(
  how: Train,
  {
    backbone = true,
    isDatasetGone = (): boolean => false,
    disk = stored.disk,
    hasOther = false,
  }: { backbone?: boolean; isDatasetGone?: () => boolean; disk?: DiskGuard; hasOther?: boolean } = {},
) {
  const { database } = stored;
  const jobs = createJobs({ database, clock: systemClock });
  const datasets = {
    read: async () => {
      if (isDatasetGone()) throw new ServiceError('not_found', '1001 is not one of your datasets');
      return dataset;
    },
  };
  const kind = createTrainModel({
    ...stored,
    disk,
    datasets,
    useTrainingSet: async (_accountId, _datasetId, work) =>
      work({
        kind: 'classification',
        multiLabel: false,
        labels: classifierReport.labels,
        images: [],
      }),
    train: how,
    backboneOf: () => (backbone ? { id: 'backbone', version: '1', dir: '/models/backbone' } : undefined),
    classifier: () => undefined,
    limits: { maxPixels: 1_000_000 },
  });
  const component = createServiceJobs(
    {
      database,
      clock: systemClock,
      jobs,
      logger: { warn: () => undefined },
      leases: createProcessLeases({ database, folderUid: '', isAlone: !hasOther }),
      filesFolderUid: null,
      settings: { accountMaxConcurrent: 0 },
    },
    [{ kinds: [kind] }],
    { hasOther: async (role) => hasOther && role === 'training' },
  );
  components.push(component);
  await component.start();
  const start = createStartRun({ ...stored, jobs, datasets });
  const untilSo = async (id: string, isSo: (job: Job) => boolean): Promise<Job> => {
    for (;;) {
      const job = await jobs.read(account, id);
      if (isSo(job)) return job;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return {
    jobs,
    start,
    untilSo,
    component,
    run: async (given: Partial<TrainingRequest> = {}) =>
      untilSo(await start(account, model.id, { ...wanted, ...given }), ({ endedAt }) => endedAt !== null),
  };
}

const waitForEnd = ({ signal }: { readonly signal?: AbortSignal }) =>
  new Promise<never>((_resolve, reject) => {
    const end = () => reject(new TrainingError('cancelled', 'it was cancelled'));
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end);
  });

describe('a run', () => {
  test('makes a version with its report, which predicts, and tells how good it is', async () => {
    const seen: TrainingJob[] = [];
    const service = await startService((job, options) => {
      seen.push(job);
      return train(job, options);
    });
    const job = await service.run();
    expect(job).toMatchObject({ state: 'done', error: null });
    expect(job.result).toMatchObject({ version: 1, activated: true, figures: { accuracy: 0.9 } });
    expect(await stored.models.read(account, model.id)).toMatchObject({ version: 1, datasetId: 1001 });
    expect(await stored.versions.report(account, model.id, 1)).toEqual({
      datasetId: 1001,
      ...classifierReport,
    });
    expect(seen[0]).toMatchObject({
      title: 'animals',
      seed: 1,
      cacheDir: stored.features.folder(dataset.uid),
    });
    expect(await stored.drafts()).toEqual([]);
  });

  test('leaves the active version alone when asked to', async () => {
    const service = await startService(train);
    await service.run();
    expect((await service.run({ isActivated: false })).result).toMatchObject({
      version: 2,
      activated: false,
    });
    expect((await stored.models.read(account, model.id)).version).toBe(1);
  });

  test('is one at a time of a model', async () => {
    const service = await startService((_job, options) => waitForEnd(options));
    const id = await service.start(account, model.id, wanted);
    await expect(service.start(account, model.id, wanted)).rejects.toMatchObject({ code: 'conflict' });
    await service.jobs.cancel(account, id);
    expect(await service.untilSo(id, ({ endedAt }) => endedAt !== null)).toMatchObject({
      state: 'cancelled',
    });
    expect(await stored.drafts()).toEqual([]);
  });

  test('is refused with what to do for a dataset of another task', async () => {
    const service = await startService(train);
    const detector = { name: 'bolts', description: '', task: 'object_detection' } as const;
    const { id } = await stored.models.create(account, detector);
    await expect(service.start(account, id, wanted)).rejects.toThrow(/dataset 1001 is for classification/);
    await expect(service.start(account, 77, wanted)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('of a classifier is refused with an option of detectors', async () => {
    const service = await startService(train);
    await expect(service.start(account, model.id, { ...wanted, secondLook: false })).rejects.toThrow(
      /second_look .*is for models for object detection alone/,
    );
  });

  test('of a detector gets the classifier that looks again, unless it is not to', async () => {
    const ref = { id: 'classifier', version: '1', dir: '/models/classifier' };
    const limits = { maxPixels: 1_000_000 };
    const location = { title: 'bolts', backbone: ref, limits, cacheDir: '', outDir: '' };
    const set = { kind: 'object_detection', labels: classifierReport.labels, images: [] } as const;
    expect(toTrainingJob(set, wanted, location, ref)).toMatchObject({ classifier: ref });
    const without = toTrainingJob(set, { ...wanted, secondLook: false }, location, ref);
    expect(without).not.toHaveProperty('classifier');
    expect(toTrainingJob(set, wanted, location, undefined)).not.toHaveProperty('classifier');
  });
});

describe('a run that goes wrong', () => {
  test('fails at once with the reason where trying again is of no use, and leaves nothing', async () => {
    let begun = 0;
    const service = await startService(async ({ outDir }) => {
      begun += 1;
      await mkdir(outDir, { recursive: true });
      throw new TrainingError('impossible', 'class "cat" is shown by 1 image: add images of it');
    });
    expect(await service.run()).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('add images'),
    });
    expect(begun).toBe(1);
    expect([await stored.drafts(), await stored.folders()]).toEqual([[], []]);
    expect((await stored.models.read(account, model.id)).version).toBeNull();
  });

  test('says that a model is missing without naming a folder of ours', async () => {
    const service = await startService(train, { backbone: false });
    expect((await service.run()).error).toMatch(/not installed.*operator.*ask again/);
  });

  test('without room on the disk of one service is trained by another, and fails where there is none', async () => {
    const full = createDiskGuard({ dir: '/', reserveBytes: 1000, readFreeBytes: async () => 0 });
    const alone = await startService(train, { disk: full });
    expect(await alone.run()).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('diskReserveBytes'),
    });
    await alone.component.drain?.(AbortSignal.timeout(5000));
    const { start, untilSo } = await startService(train, { disk: full, hasOther: true });
    const id = await start(account, model.id, wanted);
    await untilSo(id, ({ error }) => error !== null);
    const fills: Train = async () => {
      throw new TrainingError('disk-full', 'the disk has no room left for the training');
    };
    // Found by the guard on the one, and by the training itself on the next.
    let times = 0;
    await startService(
      async (...words) => {
        times += 1;
        return fills(...words);
      },
      { hasOther: true },
    );
    await untilSo(id, () => times > 0);
    await untilSo(id, ({ state }) => state === 'waiting');
    await startService(train, { hasOther: true });
    expect(await untilSo(id, ({ endedAt }) => endedAt !== null)).toMatchObject({
      state: 'done',
      error: null,
    });
    expect(times).toBe(1);
  });

  test('reports internal failures to the log alone', async () => {
    const service = await startService(async () => {
      throw new Error('ENOSPC /srv/secret');
    });
    const id = await service.start(account, model.id, wanted);
    const job = await service.untilSo(id, ({ error }) => error !== null);
    expect(job).toMatchObject({ state: 'waiting', error: 'the service failed at it, and its log says why' });
  });

  test('at one image, again and again, is given up', async () => {
    let begun = 0;
    const service = await startService(async (_job, { onProgress }) => {
      begun += 1;
      for (let done = 0; done <= 5; done += 1)
        onProgress?.({ stage: 'features', done, total: 9, isKept: true });
      throw new TrainingError('process-crashed', 'the process of the training was lost');
    });
    const id = await service.start(account, model.id, wanted);
    await service.untilSo(id, ({ error }) => error !== null);
    await hurry(id);
    await service.untilSo(id, () => begun > 1);
    for (let attempt = 0; attempt < 3; attempt += 1) await hurry(id);
    const job = await service.untilSo(id, ({ endedAt }) => endedAt !== null);
    expect(job).toMatchObject({ state: 'failed', error: expect.stringContaining('was lost') });
    expect(begun).toBeLessThanOrEqual(4);
  }, 300_000);

  test('whose dataset is deleted says so, whatever it failed of', async () => {
    let isGone = false;
    const lose: Train = async () => {
      isGone = true;
      throw new TrainingError('impossible', 'no image to train on shows "cat"; add some');
    };
    const service = await startService(lose, { isDatasetGone: () => isGone });
    const id = await service.start(account, model.id, wanted);
    const job = await service.untilSo(id, ({ endedAt }) => endedAt !== null);
    expect(job).toMatchObject({ state: 'failed', error: 'the dataset was deleted meanwhile' });
  });

  test('whose model is deleted ends, and no version, folder or feature stays', async () => {
    const service = await startService(async ({ cacheDir }, options) => {
      await mkdir(cacheDir, { recursive: true });
      return waitForEnd(options);
    });
    const id = await service.start(account, model.id, wanted);
    await service.untilSo(id, ({ state }) => state === 'running');
    await stored.deletion.removeModel(account, model.id);
    await service.component.drain?.(AbortSignal.timeout(5000));
    expect([await stored.drafts(), await stored.folders()]).toEqual([[], []]);
    expect(await readdir(stored.folder.featuresDir)).toEqual([]);
  });
});

describe('a run that is cut short', () => {
  test('behind its last step has made its version once', async () => {
    const service = await startService(train);
    const { id } = await service.run();
    await stored.database.write([
      stored.database.query
        .updateTable('job')
        .set({ state: 'running', ended_at: null, result: null, due_at: 0 })
        .where('id', '=', id),
    ]);
    service.component.wake();
    const again = await service.untilSo(id, ({ endedAt }) => endedAt !== null);
    expect(again.result).toMatchObject({ version: 1, figures: { accuracy: 0.9 } });
    const { items } = await stored.versions.list(account, model.id, { limit: 10, after: undefined });
    expect(items).toHaveLength(1);
  });

  test('by the end of the service begins again, and of what it had written nothing stays', async () => {
    const first = await startService(async (job, options) => {
      await writeOutcome(job);
      return waitForEnd(options);
    });
    const id = await first.start(account, model.id, wanted);
    await first.untilSo(id, ({ state }) => state === 'running');
    await first.component.drain?.(AbortSignal.timeout(5000));
    expect(await stored.drafts()).toEqual([]);
    const second = await startService(train);
    expect(await second.untilSo(id, ({ endedAt }) => endedAt !== null)).toMatchObject({ state: 'done' });
  });
});

/** What waits for its next attempt is due now. */
async function hurry(id: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  await stored.database.write([
    stored.database.query.updateTable('job').set({ due_at: 0 }).where('id', '=', id),
  ]);
}
