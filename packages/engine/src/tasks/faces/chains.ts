import type { ModelRef } from '../../catalog/manifest.js';
import type { FaceModels } from './faces.js';

export type FaceChainName = 'accurate' | 'permissive';

/** What cosines of a chain's embeddings mean. */
export interface ChainFigures {
  /** Cosine, -1 to 1, of two embeddings from which their faces count as one person. */
  readonly decisionCosine: number;
  /** How fast a cosine above `decisionCosine` makes one person likelier: log-odds for each unit of the cosine. */
  readonly cosineSlope: number;
  /**
   * How often two people's faces reach a cosine: `rate` at `decisionCosine`, a tenth of it for every `perTenfold` above.
   * A straight line in the logarithm, fitted to the measured tail of impostor pairs, which is heavier than a normal
   * distribution's.
   */
  readonly falseMatch: FalseMatchLine;
  /**
   * The same of two degraded faces, blurred alike or covered alike: they resemble each other, whoever they are. It is what is said
   * where one of the faces is degraded.
   */
  readonly degradedFalseMatch: FalseMatchLine;
  /**
   * Cosine from which two faces of which each has a `doubt` of 1 or more are as good evidence as clear ones: above what all but a few
   * in ten thousand pairs of strangers reach that were damaged alike.
   */
  readonly doubtfulCosine: number;
}

interface FalseMatchLine {
  readonly rate: number;
  readonly perTenfold: number;
}

/** Models that recognise faces together, and their joint figures. */
export interface FaceChain extends ChainFigures {
  /** Ids in the catalogue. */
  readonly models: { readonly [Step in keyof FaceModels]: string };
  /** Minimum detector score of a returned face. */
  readonly minScore: number;
  /** Numbers of an embedding. */
  readonly dimensions: number;
  /** Whether an embedding is the mean of those of a face and of its mirror image. */
  readonly mirrors: boolean;
  /**
   * Of embeddings: raised when faces are found or aligned in another way, because the figures then change. Embeddings of two
   * revisions can be compared, but not judged by one curve.
   */
  readonly revision: number;
  /** The figures of revision 1, in force for stored embeddings until the images are embedded again. */
  readonly former: ChainFigures;
}

/**
 * Figures measured on labelled photographs by `npm run bench -- faces` and `faces-views`; slopes and false matches by
 * `faces-open-set`: the maximum-likelihood logistic curve through one half at the decision cosine, on photographs as they are or
 * degraded, whichever gives the flatter one, and a line through the tail of impostor pairs. Degraded pairs by `faces-degraded`.
 */
export const faceChains: Readonly<Record<FaceChainName, FaceChain>> = {
  /** The best figures; the origin of the weights is not stated. */
  accurate: {
    models: {
      detector: 'fr-detect',
      filter: 'onet',
      landmarks: 'fr-landmark',
      embedder: 'fr-feature',
      liveness: 'fr-liveness',
    },
    minScore: 0.8,
    dimensions: 512,
    mirrors: false,
    revision: 2,
    decisionCosine: 0.48,
    cosineSlope: 20,
    falseMatch: { rate: 6e-4, perTenfold: 0.15 },
    degradedFalseMatch: { rate: 0.11, perTenfold: 0.15 },
    doubtfulCosine: 0.66,
    former: {
      decisionCosine: 0.45,
      cosineSlope: 13,
      falseMatch: { rate: 4e-4, perTenfold: 0.1 },
      degradedFalseMatch: { rate: 0.15, perTenfold: 0.15 },
      doubtfulCosine: 0.66,
    },
  },
  /**
   * An embedder with a permissive licence, and no landmark model. Weaker on poor photographs: at the same false
   * acceptance it recognises .95 of faces shrunk to 28 px, the other all, and .84 of blurred ones, the other .96.
   */
  permissive: {
    models: { detector: 'fr-detect', filter: 'onet', embedder: 'dlib-resnet', liveness: 'fr-liveness' },
    minScore: 0.8,
    dimensions: 128,
    mirrors: true,
    revision: 2,
    decisionCosine: 0.9375,
    cosineSlope: 175,
    falseMatch: { rate: 9e-4, perTenfold: 0.023 },
    degradedFalseMatch: { rate: 0.19, perTenfold: 0.025 },
    doubtfulCosine: 0.978,
    former: {
      decisionCosine: 0.925,
      cosineSlope: 110,
      falseMatch: { rate: 2.5e-3, perTenfold: 0.024 },
      degradedFalseMatch: { rate: 0.31, perTenfold: 0.025 },
      doubtfulCosine: 0.978,
    },
  },
};

/**
 * The permissive one would be the default if it were within two points of true acceptance on every kind of poor
 * photograph.
 */
export const defaultFaceChain: FaceChainName = 'accurate';

/** The models of a chain as options of the task `faces`. `refOf` returns an installed model by its id, or throws. */
export function modelsOfFaceChain(name: FaceChainName, refOf: (id: string) => ModelRef): FaceModels {
  const { detector, filter, landmarks, embedder, liveness } = faceChains[name].models;
  return {
    detector: refOf(detector),
    filter: refOf(filter),
    ...(landmarks === undefined ? {} : { landmarks: refOf(landmarks) }),
    embedder: refOf(embedder),
    liveness: refOf(liveness),
  };
}
