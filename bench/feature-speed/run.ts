import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTrainer, type ModelRef } from '@lynceus/engine';
import { installedModel } from '../engine.js';
import { median } from '../gate/judge.js';
import { runBareProcesses } from '../speed/bare.js';
import { writePhotos } from '../speed/images.js';
import { formatTable } from '../table.js';

const kinds = {
  classification: { model: 'inception-v3', side: 299, thresholds: false },
  object_detection: { model: 'coco-ssd', side: 300, thresholds: true },
} as const;
type Kind = keyof typeof kinds;

/** Share of the images after which the speed counts: each process has loaded its models by then. */
const warmUp = 0.25;
const bareSeconds = 8;

/**
 * Images a second of a training run's first stage, by one process and by one a core, against bare loops of as many processes
 * that decode the same photographs and run the same backbone. In turns; medians.
 */
export async function runFeatureSpeed({
  data,
  images: count,
  rounds,
}: {
  readonly data: string;
  readonly images: number;
  readonly rounds: number;
}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lynceus-feature-speed-'));
  try {
    const { paths } = await writePhotos(data, folder);
    const rows = [['training', 'processes', 'images/s', 'bare loops: images/s', 'ratio']];
    for (const kind of ['classification', 'object_detection'] as const) {
      const { model, side, thresholds } = kinds[kind];
      const backbone = await installedModel(model);
      const models = [{ dir: backbone.dir, width: side, height: side, thresholds }];
      for (const processes of new Set([1, availableParallelism()])) {
        const bare: number[] = [];
        const trained: number[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const loop = { images: paths, work: { models }, seconds: bareSeconds };
          const alone = await runBareProcesses(loop, processes);
          bare.push(alone.images / alone.seconds);
          const to = join(folder, `${kind}-${processes}-${round}`);
          trained.push(await featuresPerSecond(kind, { backbone, paths, count, processes, folder: to }));
        }
        const ratios = trained.map((each, round) => each / (bare[round] ?? Number.NaN));
        const [own, theirs, ratio] = [median(trained), median(bare), median(ratios)];
        rows.push([kind, String(processes), own.toFixed(1), theirs.toFixed(1), ratio.toFixed(2)]);
      }
    }
    console.log(formatTable(rows));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function featuresPerSecond(
  kind: Kind,
  options: {
    readonly backbone: ModelRef;
    readonly paths: readonly string[];
    readonly count: number;
    readonly processes: number;
    readonly folder: string;
  },
): Promise<number> {
  const { backbone, paths, count, processes, folder } = options;
  // Features are cached by the hash: with one of its own each copy is computed.
  const images = Array.from({ length: count }, (_, index) => ({
    id: String(index),
    path: paths[index % paths.length] ?? '',
    sha256: createHash('sha256').update(String(index)).digest('hex'),
    split: 'train' as const,
  }));
  const basis = {
    backbone,
    title: 'speed',
    labels: ['a', 'b'].map((title) => ({ id: title, title })),
    limits: { maxPixels: 50_000_000 },
    cacheDir: join(folder, 'cache'),
    outDir: join(folder, 'out'),
    seed: 1,
  };
  const enough = new AbortController();
  let from: { readonly done: number; readonly atMs: number } | undefined;
  let perSecond = Number.NaN;
  const onProgress = ({ stage, done }: { readonly stage: string; readonly done: number }) => {
    const atMs = performance.now();
    if (stage !== 'features' || done < warmUp * count) return;
    from ??= { done, atMs };
    if (done < count - processes) return;
    if (done > from.done) perSecond = (1000 * (done - from.done)) / (atMs - from.atMs);
    enough.abort();
  };
  const trainer = createTrainer({ maxRssBytes: 3 * 2 ** 30, processes, nice: 0 });
  const control = { signal: enough.signal, onProgress };
  const run =
    kind === 'classification'
      ? trainer.train(
          {
            ...basis,
            kind,
            multiLabel: false,
            noneOfThese: false,
            images: images.map((image, index) => ({ ...image, labels: [index % 2] })),
          },
          control,
        )
      : trainer.train({ ...basis, kind, images: images.map((image) => ({ ...image, boxes: [] })) }, control);
  await run.catch((error: unknown) => {
    if (!enough.signal.aborted) throw error;
  });
  return perSecond;
}
