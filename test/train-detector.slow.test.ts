import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Box,
  type BoxedImage,
  boxIou,
  createProcessRunner,
  createTrainer,
  DetectorReport,
  type DetectorTraining,
  type ModelRef,
} from '@lynceus/engine';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installedModel } from '#bench/engine.js';
import { loadDetector } from '#engine/training/detector/anchor-graph.js';
import { backgroundsFor, readBackgrounds } from '#engine/training/detector/backgrounds.js';
import { haveDefaultModels } from './support/default-models.js';
import { drawBadge } from './support/drawn-badges.js';

const limits = { maxPixels: 1_000_000 };

/** A badge's labels are drawn a little larger than the badge. */
function withMargin({ xMin, yMin, xMax, yMax }: Box): Box {
  const [x, y] = [0.09 * (xMax - xMin), 0.09 * (yMax - yMin)];
  return { xMin: xMin - x, yMin: yMin - y, xMax: xMax + x, yMax: yMax + y };
}

describe.skipIf(!(await haveDefaultModels()))('a detector trained on the real backbone', () => {
  let dir: string;
  let job: DetectorTraining;
  let report: DetectorReport;
  let model: ModelRef;
  const stages = new Set<string>();
  const fractions: number[] = [];
  const trainer = createTrainer({ maxRssBytes: 2 ** 31, nice: 0, onFault: console.error });

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-detector-'));
    const images: BoxedImage[] = [];
    for (let count = 0; count < 24; count++) {
      const hasBadge = count % 8 !== 7;
      const { bytes, box } = await drawBadge(count + 1, hasBadge);
      const path = join(dir, `${count}.png`);
      await writeFile(path, bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const split = count < 12 ? 'train' : 'held-out';
      images.push({
        id: String(count),
        path,
        sha256,
        split,
        boxes: hasBadge ? [{ label: 0, box: withMargin(box) }] : [],
      });
    }
    const broken = join(dir, 'broken.png');
    await writeFile(broken, 'no image');
    images.push({ id: 'broken', path: broken, sha256: '0'.repeat(64), split: 'train', boxes: [] });
    job = {
      kind: 'object_detection',
      title: 'Badges',
      labels: [{ id: 'badge', title: 'badge' }],
      backbone: await installedModel('coco-ssd'),
      classifier: await installedModel('inception-v3'),
      limits,
      cacheDir: join(dir, 'cache'),
      outDir: join(dir, 'out'),
      seed: 1,
      images,
    };
    ({ report } = await trainer.train(job, {
      onProgress({ stage, done, total }) {
        stages.add(stage);
        fractions.push(...[done, total].filter((steps) => !Number.isInteger(steps)));
      },
    }));
    const manifest = JSON.parse(await readFile(join(job.outDir, 'manifest.json'), 'utf8'));
    model = { id: manifest.id, version: manifest.version, dir: job.outDir };
  }, 300_000);
  afterAll(() => rm(dir, { recursive: true, force: true }));

  test('finds what it was shown in images that it was not shown, and says so', async () => {
    expect(report.measuredWith).toBe('held-out');
    expect(report.overall.ap50).toBeGreaterThan(0.8);
    expect(report.overall.f1).toBeGreaterThan(0.7);
    expect(report.falseBoxes.shipped.share).toBeLessThan(0.1);
    expect(report.byImages.at(-1)?.images).toBe(12);
    expect(report.learntOf.images).toBe(12);
    expect(report.lastFit?.images).toBe(24);
    expect(stages).toContain('features');
    expect(stages).toContain('training');
    // The database of several services takes no others.
    expect(fractions).toEqual([]);
  });

  test('a classifier looks again at what it finds, because that raised F1, and an image may show nothing', async () => {
    expect(report.secondLook?.isUsed).toBe(true);
    expect(report.secondLook?.f1With).toBeGreaterThan(report.secondLook?.f1Without ?? 1);
    const session = await InferenceSession.create(join(job.outDir, 'model.onnx'));
    const { scores } = await session.run({
      image: new Tensor('uint8', new Uint8Array(300 * 300 * 3), [1, 300, 300, 3]),
      score_threshold: new Tensor('float32', Float32Array.of(0.4), [1]),
      iou_threshold: new Tensor('float32', Float32Array.of(0.45), [1]),
    });
    expect(scores?.dims).toEqual([0]);
    await session.release();
  });

  test('its report keeps its schema, on disk too, and names the image that did not open', async () => {
    const written: unknown = JSON.parse(await readFile(join(job.outDir, 'report.json'), 'utf8'));
    expect(Value.Check(DetectorReport, written)).toBe(true);
    expect(written).toEqual(report);
    expect(report.refused.map(({ id }) => id)).toEqual(['broken']);
    expect(report.warnings.map(({ code }) => code)).toContain('images-refused');
  });

  test('an inference process takes it like any detector', async () => {
    const runner = createProcessRunner({
      processes: 1,
      queueMax: 10,
      jobTimeoutMs: 60_000,
      maxRssBytes: 2 ** 31,
    });
    await runner.start();
    const { bytes, box } = await drawBadge(40, true);
    const { results } = await runner.analyse(
      {
        source: { kind: 'bytes', bytes },
        limits,
        tasks: [{ task: 'detect', options: { models: [model], minScore: 0.4, nmsIou: 0.45 } }],
      },
      { priority: 'batch' },
    );
    await runner.close();
    const [best] = results.detect?.detections ?? [];
    expect(best?.label.title).toBe('badge');
    expect(best && boxIou(best.box, box)).toBeGreaterThan(0.5);
  });

  test('boxes are as wide and high as its owner draws them, a margin and all', async () => {
    const session = await InferenceSession.create(join(job.outDir, 'model.onnx'));
    const overlaps: { labelled: number; tight: number }[] = [];
    for (const seed of [42, 43, 44, 45]) {
      const { bytes, box } = await drawBadge(seed, true);
      const { width = 1, height = 1 } = await sharp(bytes).metadata();
      const data = await sharp(bytes).resize(300, 300, { fit: 'fill', kernel: 'lanczos3' }).raw().toBuffer();
      const { boxes } = await session.run({
        image: new Tensor('uint8', new Uint8Array(data), [1, 300, 300, 3]),
        score_threshold: new Tensor('float32', Float32Array.of(0.4), [1]),
        iou_threshold: new Tensor('float32', Float32Array.of(0.45), [1]),
      });
      const [xMin = 0, yMin = 0, xMax = 0, yMax = 0] = Array.from(boxes?.data ?? [], Number);
      const found = { xMin: xMin * width, yMin: yMin * height, xMax: xMax * width, yMax: yMax * height };
      overlaps.push({ labelled: boxIou(found, withMargin(box)), tight: boxIou(found, box) });
    }
    await session.release();
    const mean = (part: 'labelled' | 'tight') =>
      overlaps.reduce((sum, overlap) => sum + overlap[part], 0) / overlaps.length;
    expect(mean('labelled')).toBeGreaterThan(mean('tight') + 0.05);
  });

  test('the file alone is enough: its metadata say how to ask it and what it answers', async () => {
    const session = await InferenceSession.create(join(job.outDir, 'model.onnx'));
    const { bytes } = await drawBadge(41, true);
    const data = await sharp(bytes).resize(300, 300, { fit: 'fill', kernel: 'lanczos3' }).raw().toBuffer();
    const outputs = await session.run({
      image: new Tensor('uint8', new Uint8Array(data), [1, 300, 300, 3]),
      score_threshold: new Tensor('float32', Float32Array.of(0.4), [1]),
      iou_threshold: new Tensor('float32', Float32Array.of(0.45), [1]),
    });
    expect(outputs['boxes']?.dims.at(-1)).toBe(4);
    expect(outputs['scores']?.dims[0]).toBeGreaterThan(0);
    await session.release();
    const text = (await readFile(join(job.outDir, 'model.onnx'))).toString('latin1');
    for (const key of ['labels', 'preprocessing', '["badge"]', 'lanczos3']) expect(text).toContain(key);
  });

  test('the shipped backgrounds are of the installed backbone, and none shows what is trained', async () => {
    const backgrounds = await readBackgrounds(await loadDetector(job.backbone));
    expect(backgrounds?.length).toBeGreaterThan(300);
    const all = backgroundsFor(backgrounds ?? [], [{ id: '1', title: 'badge' }]);
    const withoutCats = backgroundsFor(backgrounds ?? [], [{ id: '1', title: 'Cats' }]);
    expect(all.length).toBe(backgrounds?.length);
    expect(withoutCats.length).toBeLessThan(all.length);
  });

  test('without a labelled box it says what to fix', async () => {
    const images = job.images.map((image) => ({ ...image, boxes: [] }));
    const run = trainer.train({ ...job, outDir: join(dir, 'none'), images });
    await expect(run).rejects.toMatchObject({
      code: 'impossible',
      message: expect.stringContaining('label some'),
    });
  });
});
