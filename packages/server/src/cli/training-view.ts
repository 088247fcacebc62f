import { count, percent } from '../training/models/reports/page/figures.js';
import type { TrainingReport } from '../training/models/reports/training-report.js';

/** What a training measured, a line each. */
export function describeReport(report: TrainingReport): readonly string[] {
  const basis = (how: string, images: number) =>
    `measured on ${count(images, 'image')} ${how === 'held-out' ? 'that were held out' : 'by cross-validation'}`;
  if (report.kind === 'object_detection') {
    const { overall, measuredOn, measuredWith } = report;
    return [
      `AP50 ${percent(overall.ap50)}, AP ${percent(overall.ap)}; at a score of 0.4: precision ${percent(overall.precision)}, recall ${percent(overall.recall)}`,
      basis(measuredWith, measuredOn.images),
    ];
  }
  const { accuracy, balancedAccuracy, interval, images } = report.figures;
  return [
    `accuracy ${percent(accuracy)} (95 %: ${percent(interval.low)} to ${percent(interval.high)}), balanced ${percent(balancedAccuracy)}`,
    basis(report.measuredOn, images),
  ];
}
