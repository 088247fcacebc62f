import { join } from 'node:path';
import { Value } from 'typebox/value';
import { writeReport, writeTrained } from '../out-dir.js';
import type { TrainingContext } from '../training-context.js';
import { TrainingError } from '../training-error.js';
import type { DetectorTraining } from '../training-job.js';
import { detectorInput, type LoadedDetector, loadDetector, openAnchorGraph } from './anchor-graph.js';
import { backgroundsFor, readBackgrounds } from './backgrounds.js';
import { DetectorReport } from './detector-report.js';
import { writeDetector } from './export-detector.js';
import { type ExtractedImage, extractAnchors } from './extract-anchors.js';
import type { FoldedHead } from './head.js';
import { learnAndMeasure } from './learn-and-measure.js';
import { verifyExport } from './verify-export.js';
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
  const { heads, figures } = learnAndMeasure(backbone, job, { images, backgrounds, refused }, context);

  context.onProgress({ stage: 'writing', done: 0, total: 1, isKept: false });
  await writeModelFiles(job, backbone, heads, images);
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

const probes = 3;

/** Writes the model and compares its outputs with those of the training for a few images. */
async function writeModelFiles(
  job: DetectorTraining,
  backbone: LoadedDetector,
  heads: readonly FoldedHead[],
  images: readonly ExtractedImage[],
): Promise<void> {
  const { title, labels, backbone: ref, outDir, limits } = job;
  const { input } = backbone;
  const [first] = images;
  const cells = backbone.levels.map(
    ({ dims }, level) => (first?.anchors().levels[level]?.length ?? 0) / dims,
  );
  const model = writeDetector(backbone, heads, cells, { title, labels, input, backbone: ref });
  await writeTrained(outDir, { model, manifest: { title, family: 'detector', input, labels: [...labels] } });
  const graph = await openAnchorGraph(backbone);
  const probed = [];
  for (const { image } of images.slice(0, probes)) {
    const { data, dims } = await detectorInput(image.path, limits, input);
    probed.push({ image: { data, dims }, anchors: await graph.run({ data, dims }) });
  }
  await graph.close();
  await verifyExport(backbone, heads, join(outDir, 'model.onnx'), probed);
}
