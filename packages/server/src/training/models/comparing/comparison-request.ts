import { type Static, Type } from 'typebox';

/** What a comparison is asked for; a job's payload. */
export const ComparisonRequest = Type.Object({
  /** Numbers of two versions. */
  first: Type.Integer(),
  second: Type.Integer(),
  /** Whose held-out images both are asked about. */
  datasetId: Type.Integer(),
});
export type ComparisonRequest = Static<typeof ComparisonRequest>;
