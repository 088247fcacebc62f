/** What the models say of a face beside its embedding; recognition has all of it anyway. */
export interface Signs {
  /** The filter's probability of a face, 0 to 1, once it is upright and centred. */
  readonly refinedProbability: number;
  /** See `RefinedCandidate`. */
  readonly landmarkDisagreement: number;
  /** Cosine of the embeddings of the face and of its mirror image, where the chain makes both. */
  readonly mirrorCosine?: number | undefined;
}

/** Limits that nine of ten portraits keep; chosen on portraits as they are and damaged in sixty ways. */
const limits = {
  improbability: 0.015,
  landmarkDisagreement: 0.03,
  mirrorDistance: 0.012,
  detailSpread: 0.24,
};

/**
 * How much an embedding is to be doubted: 0 for not at all, and from 1 on as of a few clear faces and most degraded ones,
 * whatever the damage. One such face is recognised by a clear one, but two of them may be alike because of what was done to both.
 * @param detailSpread see `measureDetailSpread`
 */
export function measureDoubt(
  { refinedProbability, landmarkDisagreement, mirrorCosine = 1 }: Signs,
  detailSpread: number,
): number {
  return Math.max(
    (1 - refinedProbability) / limits.improbability,
    landmarkDisagreement / limits.landmarkDisagreement,
    Math.max(0, 1 - mirrorCosine) / limits.mirrorDistance,
    // Below the limit more than 1, and bounded; above it nothing, since more detail is no certainty.
    detailSpread < limits.detailSpread ? 2 - detailSpread / limits.detailSpread : 0,
  );
}
