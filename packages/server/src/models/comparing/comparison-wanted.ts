import { type Static, Type } from 'typebox';

/** What a comparison is asked for; a job's payload. */
export const ComparisonWanted = Type.Object({
  /** Numbers of two versions. */
  first: Type.Integer(),
  second: Type.Integer(),
  /** Whose held-out pictures both are asked about. */
  datasetId: Type.Integer(),
});
export type ComparisonWanted = Static<typeof ComparisonWanted>;
