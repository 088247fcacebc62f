import type { ClassifierReport, DetectorReport } from '@lynceus/engine';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** What is kept of a training with the version that it made. */
export type TrainingReport = (ClassifierReport | DetectorReport) & {
  /** The dataset it was trained on; the report names images by their ids in it. */
  readonly datasetId: number;
};

const ReportHead = Type.Object({
  datasetId: Type.Integer(),
  kind: Type.Enum(['classification', 'object_detection']),
});

/**
 * A report out of the database; null where there is none. Looked at no further than to tell what it is of: trainings check
 * what they write, and one of many classes has a million figures.
 */
export function asTrainingReport(stored: unknown): TrainingReport | null {
  return Value.Check(ReportHead, stored) ? (stored as unknown as TrainingReport) : null;
}

/** Images that the report shows, the worst mistake's first. */
export function imagesShown({ mistakes }: TrainingReport, most: number): readonly string[] {
  return [...new Set(mistakes.slice(0, most).map(({ image }) => image))];
}
