import type { DetectionDetail, ModelRef, ModelRunner } from '@lynceus/engine';
import type { AskClassifier } from './classification.js';
import type { AskDetector } from './detection.js';

export const limits = { maxPixels: 50_000_000 };
const priority = 'batch';

export function detectorThroughEngine(
  runner: ModelRunner,
  models: readonly ModelRef[],
  labelIds: readonly string[],
  options: { readonly detail?: DetectionDetail; readonly oneLabel?: boolean } = {},
): AskDetector {
  const classes = new Map(labelIds.map((id, index) => [id, index]));
  return async (bytes, thresholds) => {
    const { image, results } = await runner.analyse(
      {
        source: { kind: 'bytes', bytes },
        limits,
        tasks: [{ task: 'detect', options: { models, ...options, ...thresholds } }],
      },
      { priority },
    );
    return {
      width: image.width,
      height: image.height,
      objects: (results.detect?.detections ?? []).map(({ label, score, box }) => ({
        classIndex: classes.get(label.id) ?? -1,
        score,
        box,
      })),
    };
  };
}

export function classifierThroughEngine(runner: ModelRunner, model: ModelRef): AskClassifier {
  return async (bytes) => {
    const { results } = await runner.analyse(
      {
        source: { kind: 'bytes', bytes },
        limits,
        tasks: [{ task: 'classify', options: { model, topK: 5 } }],
      },
      { priority },
    );
    return (results.classify?.classes ?? []).map(({ label }) => label.id);
  };
}
