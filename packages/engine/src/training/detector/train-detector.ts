import { join } from 'node:path';
import { Value } from 'typebox/value';
import { readPooledBackgrounds } from '../classifier/backgrounds.js';
import { loadBackbone } from '../extract-features.js';
import { writeReport, writeTrained } from '../out-dir.js';
import { openProducts } from '../products.js';
import type { TrainingContext } from '../training-context.js';
import { TrainingError } from '../training-error.js';
import type { DetectorTraining } from '../training-job.js';
import { detectorInput, type LoadedDetector, loadDetector, openAnchorGraph } from './anchor-graph.js';
import { backgroundsFor, readBackgrounds } from './backgrounds.js';
import { openCropFeatures } from './crop-features.js';
import { DetectorReport } from './detector-report.js';
import { type Looking, writeDetector } from './export-detector.js';
import { type ExtractedImage, extractAnchors } from './extract-anchors.js';
import type { FoldedHead } from './head.js';
import { learnAndMeasure } from './learn-and-measure.js';
import type { LookMaterial } from './look-again.js';
import { verifyExport } from './verify-export.js';
import { verifyLooked } from './verify-looked.js';
import { findWarnings } from './warnings.js';

/**
 * Trains a detector on the frozen features of a single-shot one: writes `outDir` and returns the report. Deterministic by
 * the job's seed.
 * @throws TrainingError 'impossible' where no training image shows a box, 'model-missing'.
 */
export async function trainDetector(
  job: DetectorTraining,
  context: TrainingContext,
): Promise<DetectorReport> {
  const startedAt = performance.now();
  const backbone = await loadDetector(job.backbone);
  const { images, refused } = await extractAnchors(job, backbone, context);
  const learnable = images.filter(({ image, truths }) => image.split === 'train' && truths.length > 0);
  if (learnable.length === 0) {
    throw new TrainingError(
      'impossible',
      'no image to learn of shows a box; label some, or check those refused',
    );
  }
  const shipped = await readBackgrounds(backbone);
  const backgrounds = shipped ? backgroundsFor(shipped, job.labels) : [];
  const second = await openSecondLook(job, backbone);
  const products = await openProducts();
  const { figures } = await learnAndWrite(
    job,
    backbone,
    { products, images, backgrounds, refused, second },
    context,
  ).finally(() => Promise.all([second?.crops.close(), products.close()]));
  const warnings = findWarnings({
    images,
    labels: job.labels,
    inputPx: backbone.input,
    hasShippedBackgrounds: shipped !== undefined,
    report: figures,
  });
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const report = Value.Parse(DetectorReport, { ...figures, warnings, seconds });
  await writeReport(job.outDir, report);
  context.onProgress({ stage: 'writing', done: 1, total: 1, isKept: false });
  return report;
}

type Material = Parameters<typeof learnAndMeasure>[2] & {
  readonly second: (LookMaterial & Pick<Looking, 'classifier'>) | undefined;
};

async function learnAndWrite(
  job: DetectorTraining,
  backbone: LoadedDetector,
  material: Material,
  context: TrainingContext,
) {
  const { second, images } = material;
  const trained = await learnAndMeasure(backbone, job, material, context);
  context.onProgress({ stage: 'writing', done: 0, total: 1, isKept: false });
  const looking = second && trained.look && { ...second, look: trained.look };
  await writeModelFiles(job, backbone, trained.heads, images, looking);
  return trained;
}

/** What boxes are looked at again with: a classifier, and photographs that show none of the labels. */
async function openSecondLook(
  job: DetectorTraining,
  backbone: LoadedDetector,
): Promise<(LookMaterial & Pick<Looking, 'classifier'>) | undefined> {
  if (!job.classifier) return undefined;
  const classifier = await loadBackbone({ backbone: job.classifier });
  const photos = await readPooledBackgrounds(classifier, job.labels);
  if (!photos) return undefined;
  const crops = await openCropFeatures(job, backbone, classifier);
  return { classifier, photos, crops, labels: job.labels.length };
}

const probes = 3;

/** Writes the model and compares its outputs with those of the training for a few images. */
async function writeModelFiles(
  job: DetectorTraining,
  backbone: LoadedDetector,
  heads: readonly FoldedHead[],
  images: readonly ExtractedImage[],
  looking: (LookMaterial & Looking) | undefined,
): Promise<void> {
  const { title, labels, backbone: ref, outDir, limits } = job;
  const { input } = backbone;
  const [first] = images;
  const cells = backbone.levels.map(
    ({ dims }, level) => (first?.anchors().levels[level]?.length ?? 0) / dims,
  );
  const facts = { title, labels, input, backbone: ref };
  const model = writeDetector(backbone, heads, cells, facts, looking);
  await writeTrained(outDir, { model, manifest: { title, family: 'detector', input, labels: [...labels] } });
  const graph = await openAnchorGraph(backbone);
  const probed = [];
  for (const extracted of images.slice(0, probes)) {
    const { data, dims } = await detectorInput(extracted.image.path, limits, input);
    probed.push({ extracted, image: { data, dims }, anchors: await graph.run({ data, dims }) });
  }
  await graph.close();
  const path = join(outDir, 'model.onnx');
  await (looking
    ? verifyLooked(backbone, heads, looking, path, probed)
    : verifyExport(backbone, heads, path, probed));
}
