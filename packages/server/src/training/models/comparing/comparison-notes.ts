import type { TrainingReport } from '../reports/training-report.js';

/**
 * Why the figures of a version may be too good, as sentences.
 * @param report Of the version's training run; null where it was uploaded.
 * @param datasetId Of the dataset whose held-out images were asked about.
 */
export function notesOn(number: number, report: TrainingReport | null, datasetId: number): string[] {
  if (report === null) return [];
  if (report.datasetId !== datasetId) {
    return [
      `version ${number} was trained on dataset ${report.datasetId}: where that has some of these images, it may have been trained on them`,
    ];
  }
  const measured = report.kind === 'classification' ? report.images.train : report.learntOf.images;
  if (report.lastFit === undefined || report.lastFit.images <= measured) return [];
  return [
    `version ${number} was trained on the held-out images too, after its own measurement, so that its figures here are too good: those of its report are of images that it had not seen`,
  ];
}
