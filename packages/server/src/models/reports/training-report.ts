import { ClassifierReport, DetectorReport } from '@lynceus/engine';
import { type Static, Type } from 'typebox';

const Origin = Type.Object({
  /** The dataset it was trained on; the report names pictures by their ids in it. */
  datasetId: Type.Integer(),
});

/** What is kept of a training with the version that it made. */
export const TrainingReport = Type.Union([
  Type.Intersect([Origin, ClassifierReport]),
  Type.Intersect([Origin, DetectorReport]),
]);
export type TrainingReport = Static<typeof Origin> & (ClassifierReport | DetectorReport);

/** Pictures that the report shows, the worst mistake's first. */
export function picturesShown({ mistakes }: TrainingReport, most: number): readonly string[] {
  return [...new Set(mistakes.slice(0, most).map(({ picture }) => picture))];
}
