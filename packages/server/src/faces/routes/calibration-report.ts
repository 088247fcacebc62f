import { type Static, Type } from 'typebox';
import type { DecisionChange, DecisionPoint as DomainPoint } from '../compare-decisions.js';
import { figuresOf } from '../embedder-figures.js';
import type { Perception } from '../perception.js';
import type { ProposedCalibration } from '../propose-calibration.js';

const Curve = Type.Object(
  {
    midpoint: Type.Number({ description: 'the cosine whose similarity is 0.5' }),
    slope: Type.Number(),
  },
  { title: 'SimilarityCurve', description: 'similarity = 1 / (1 + exp(-slope (cosine - midpoint)))' },
);
const inForce = {
  calibration: Curve,
  source: Type.Enum(['embedder', 'own'], {
    description: 'whose the curve is: the one that comes with the embedder, or one set for this perception',
  }),
  embedder_calibration: Curve,
};
export const CurveInForce = Type.Object(inForce, {
  title: 'CurveInForce',
  description: 'The curve in force',
});

const Share = Type.Number({ description: '0 to 1' });
const DecisionPoint = Type.Object(
  {
    cosine: Type.Number({ description: 'from which faces are taken for the same person, -1 to 1' }),
    similarity_now: Type.Number({ description: 'of this cosine, on the curve in force' }),
    similarity_proposed: Type.Number({ description: 'of this cosine, on the proposed curve' }),
    false_match_rate: Type.Number({
      description: "of the pairs of two people's images, the share that reaches the cosine, 0 to 1",
    }),
    false_non_match_rate: Type.Number({
      description: "of the pairs of one person's images, the share that does not reach it, 0 to 1",
    }),
  },
  {
    title: 'DecisionPoint',
    description:
      'A cosine from which faces are taken for the same person, and what that does to the pairs looked at',
  },
);
const Proposal = Type.Object(
  {
    calibration: Curve,
    people: Type.Integer({ description: 'people with two images or more that were looked at' }),
    images: Type.Integer({ description: 'their images that were looked at' }),
    pairs: Type.Object({
      genuine: Type.Integer({ description: "of one person's images" }),
      impostor: Type.Integer({ description: "of two people's images" }),
    }),
    decision: Type.Object(
      { now: DecisionPoint, proposed: DecisionPoint },
      { description: 'the decision point of the perception on either curve' },
    ),
    distributions: Type.Object(
      {
        from: Type.Number({ description: 'the cosine at which the first bar begins' }),
        to: Type.Number({ description: 'the cosine at which the last bar ends' }),
        genuine: Type.Array(Share),
        impostor: Type.Array(Share),
      },
      {
        title: 'PairDistributions',
        description: 'cosines of the pairs as bars of equal width: shares of each kind, which add up to 1',
      },
    ),
  },
  { title: 'ProposedCalibration' },
);
export const CalibrationReport = Type.Object(
  {
    ...inForce,
    proposal: Type.Union([Proposal, Type.Null()], {
      description: "a curve fitted to the perception's own people; null where there is none",
    }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'why there is no proposal, such as how many images are needed',
    }),
  },
  {
    title: 'CalibrationReport',
    description: 'The curve in force, and the one that the people of the perception would give',
  },
);

export function toCurveInForce({ calibration, embedder }: Perception): Static<typeof CurveInForce> {
  const ofEmbedder = { ...figuresOf(embedder).calibration };
  return {
    calibration: calibration === null ? ofEmbedder : { ...calibration },
    source: calibration === null ? 'embedder' : 'own',
    embedder_calibration: ofEmbedder,
  };
}

export function toProposal(
  { calibration, people, images, pairs, distributions }: ProposedCalibration,
  { now, proposed }: DecisionChange,
): Static<typeof Proposal> {
  const { from, to, genuine, impostor } = distributions;
  return {
    calibration: { ...calibration },
    people,
    images,
    pairs: { ...pairs },
    decision: { now: toDecisionPoint(now), proposed: toDecisionPoint(proposed) },
    distributions: { from, to, genuine: [...genuine], impostor: [...impostor] },
  };
}

function toDecisionPoint(point: DomainPoint): Static<typeof DecisionPoint> {
  return {
    cosine: point.cosine,
    similarity_now: point.similarityNow,
    similarity_proposed: point.similarityProposed,
    false_match_rate: point.falseMatchRate,
    false_non_match_rate: point.falseNonMatchRate,
  };
}
