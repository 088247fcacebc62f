import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelManifest, type ModelRef, openImage } from '@lynceus/engine';
import { Value } from 'typebox/value';
import { type BenchEngine, startEngine } from '../engine.js';
import { type Half, isInHalf } from '../half.js';
import { type Service, startService } from '../service.js';
import { formatTable, share } from '../table.js';
import { evaluateClassifier } from './classification.js';
import { readCoco, readImageNet } from './datasets.js';
import { compareDetectors, type DetectorFigures, evaluateDetector } from './detection.js';
import { compareSecondLabels } from './second-labels.js';
import { classifierThroughEngine, detectorThroughEngine } from './through-engine.js';
import { classifierThroughHttp, detectorThroughHttp } from './through-http.js';

interface Labelled {
  readonly data: string;
  /** Only this half of the images. */
  readonly half: Half | undefined;
}

/** Accuracy on labelled photographs, through the engine and through HTTP. */
export async function runAccuracy({ data, half }: Labelled): Promise<void> {
  const engine = await startEngine();
  try {
    const service = await startService();
    try {
      if (existsSync(join(data, 'imagenet'))) await classification({ data, half }, engine, service);
      if (existsSync(join(data, 'coco'))) await detection({ data, half }, engine, service);
    } finally {
      await service.stop();
    }
  } finally {
    // Its processes would keep this one alive when the service cannot start.
    await engine.close();
  }
}

async function classification(
  { data, half }: Labelled,
  engine: BenchEngine,
  service: Service,
): Promise<void> {
  const photos = (await readImageNet(data)).filter(({ name }) => isInHalf(name, half));
  const ref = engine.ref('inception-v3');
  const { labels } = await manifestOf(ref);
  const rows = [['classification', 'images', 'top-1', 'top-5']];
  for (const [way, ask] of [
    ['engine', classifierThroughEngine(engine.runner, ref)],
    ['HTTP, v2', classifierThroughHttp(service, labels)],
  ] as const) {
    const { images, top1, top5 } = await evaluateClassifier(photos, ask);
    rows.push([`inception-v3, ${way}`, String(images), share(top1), share(top5)]);
  }
  console.log(`${formatTable(rows)}\n`);
}

async function detection({ data, half }: Labelled, engine: BenchEngine, service: Service): Promise<void> {
  const photos = (await readCoco(data)).filter(({ name }) => isInHalf(name, half));
  const [ssd, centerNet] = [engine.ref('coco-ssd'), engine.ref('centernet-coco')];
  const { labels } = await manifestOf(ssd);
  const ids = labels.map(({ id }) => id);
  const titles = labels.map(({ title }) => title);
  const through = (models: readonly ModelRef[]) =>
    evaluateDetector(photos, detectorThroughEngine(engine.runner, models, ids));
  const http = (modelId: string) =>
    evaluateDetector(photos, detectorThroughHttp(service, modelId, titles, sizeOf));

  const fast = await through([ssd]);
  const alone = await through([centerNet]);
  const fused = await through([ssd, centerNet]);
  const rows = [
    ['detection', 'AP50', 'AP', 'precision', 'recall', 'F1', 'best F1', 'at score'],
    row('coco-fast, engine', fast.figures),
    row('CenterNet alone, engine', alone.figures),
    row('coco-accurate, engine', fused.figures),
    row('coco-fast, HTTP, v2', (await http('coco-fast')).figures),
    row('coco-accurate, HTTP, v2', (await http('coco-accurate')).figures),
  ];
  console.log(`${photos.length} photographs; precision, recall and F1 at the thresholds .4 and .45`);
  console.log(`${formatTable(rows)}\n`);
  const withLabels = (name: string, models: readonly ModelRef[]) => ({
    name,
    ask: (oneLabel: boolean) => detectorThroughEngine(engine.runner, models, ids, { oneLabel }),
  });
  const compared = [withLabels('coco-fast', [ssd]), withLabels('coco-accurate', [ssd, centerNet])];
  console.log(`${await compareSecondLabels(photos, compared)}\n`);
  const better = alone.figures.ap50 > fast.figures.ap50 ? alone : fast;
  for (const figure of ['ap50', 'ap'] as const) {
    const { difference, interval } = compareDetectors(fused.judgement, better.judgement, figure);
    console.log(
      `fused over the better single detector, ${figure.toUpperCase()}: ${share(difference)} ` +
        `(95 % interval ${share(interval.low)} to ${share(interval.high)}, paired bootstrap)`,
    );
  }
}

function row(name: string, figures: DetectorFigures): string[] {
  const { ap50, ap, precision, recall, f1, bestF1, bestScore } = figures;
  return [name, ...[ap50, ap, precision, recall, f1, bestF1].map(share), bestScore.toFixed(2)];
}

async function manifestOf({ dir }: ModelRef): Promise<ModelManifest> {
  return Value.Parse(ModelManifest, JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8')));
}

async function sizeOf(bytes: Buffer): Promise<{ width: number; height: number }> {
  return openImage({ kind: 'bytes', bytes }, { limits: { maxPixels: 50_000_000 }, detailPx: 0 });
}
