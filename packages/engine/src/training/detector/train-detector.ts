import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import type { ModelManifest } from '../../catalog/manifest.js';
import { writeOutcome } from '../out-dir.js';
import type { TrainingContext } from '../training-context.js';
import { TrainingError } from '../training-error.js';
import type { DetectorTraining } from '../training-job.js';
import { detectorInput, type LoadedDetector, loadDetector, openAnchorGraph } from './anchor-graph.js';
import { backgroundsFor, readBackgrounds } from './backgrounds.js';
import { DetectorReport } from './detector-report.js';
import { writeDetector } from './export-detector.js';
import { type ExtractedPicture, extractAnchors } from './extract-anchors.js';
import type { FoldedHead } from './head.js';
import { learnAndMeasure } from './learn-and-measure.js';
import { verifyExport } from './verify-export.js';
import { findWarnings } from './warnings.js';

/**
 * Trains a detector on the frozen features of a single-shot one: writes `outDir` and gives the report. Deterministic by
 * the job's seed.
 * @throws TrainingError 'impossible' where no picture to learn of shows a box, 'model-missing'.
 */
export async function trainDetector(
  job: DetectorTraining,
  context: TrainingContext,
): Promise<DetectorReport> {
  const startedAt = performance.now();
  const backbone = await loadDetector(job.backbone);
  const { pictures, refused } = await extractAnchors(job, backbone, context);
  const learnable = pictures.filter(({ picture, truths }) => picture.split === 'train' && truths.length > 0);
  if (learnable.length === 0) {
    throw new TrainingError(
      'impossible',
      'no picture to learn of shows a box; label some, or check those refused',
    );
  }
  const shipped = await readBackgrounds(backbone);
  const backgrounds = shipped ? backgroundsFor(shipped, job.labels) : [];
  const { heads, figures } = learnAndMeasure(backbone, job, { pictures, backgrounds, refused }, context);

  context.onProgress({ stage: 'writing', done: 0, total: 1, isKept: false });
  const { input } = backbone.manifest;
  if (input.fit !== 'squash') throw new Error('the input size of the backbone is not fixed');
  const warnings = findWarnings({
    pictures,
    labels: job.labels,
    inputPx: input,
    hasShippedBackgrounds: shipped !== undefined,
    report: figures,
  });
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const report = Value.Parse(DetectorReport, { ...figures, warnings, seconds });
  await writeModelFiles(job, backbone, heads, pictures, report);
  context.onProgress({ stage: 'writing', done: 1, total: 1, isKept: false });
  return report;
}

const probes = 3;

async function writeModelFiles(
  job: DetectorTraining,
  backbone: LoadedDetector,
  heads: readonly FoldedHead[],
  pictures: readonly ExtractedPicture[],
  report: DetectorReport,
): Promise<void> {
  const manifest = describe(job, backbone, heads);
  const [first] = pictures;
  const cells = backbone.levels.map(
    ({ dims }, level) => (first?.anchors().levels[level]?.length ?? 0) / dims,
  );
  const model = writeDetector(backbone, heads, cells, manifest);
  await writeOutcome(job.outDir, { model, manifest, report });
  const graph = await openAnchorGraph(backbone);
  const probed = [];
  for (const { picture } of pictures.slice(0, probes)) {
    const { data, dims } = await detectorInput(picture.path, job.limits, manifest.input);
    probed.push({ image: { data, dims }, anchors: await graph.run({ data, dims }) });
  }
  await graph.close();
  await verifyExport(backbone, heads, join(job.outDir, 'model.onnx'), probed);
}

/** The id and version name the weights: the same training gives the same ones. */
function describe(
  job: DetectorTraining,
  { manifest }: LoadedDetector,
  heads: readonly FoldedHead[],
): ModelManifest {
  const hash = createHash('sha256').update(JSON.stringify([job.backbone.version, job.title, job.labels]));
  for (const { weights, biases } of heads) for (const part of [...weights, ...biases]) hash.update(part);
  const version = hash.digest('hex').slice(0, 12);
  return {
    id: `detector-${version}`,
    version,
    title: job.title,
    family: 'detector',
    input: manifest.input,
    labels: [...job.labels],
  };
}
