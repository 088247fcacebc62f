import type { TrainingReport } from '../reports/training-report.js';

/** What a job of a run tells its owner: the version, and how good it is on images that it has not seen. */
export function toRunResult(version: number, isActivated: boolean, report: TrainingReport | null) {
  return { version, activated: isActivated, figures: report === null ? null : headline(report) };
}

function headline(report: TrainingReport) {
  if (report.kind === 'object_detection') {
    const { overall, measuredOn, measuredWith } = report;
    return { measured_on: measuredWith, images: measuredOn.images, ...overall };
  }
  const { accuracy, balancedAccuracy, images } = report.figures;
  return {
    measured_on: report.measuredOn,
    images,
    accuracy,
    balanced_accuracy: balancedAccuracy,
  };
}
