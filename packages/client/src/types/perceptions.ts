/** What can be wrong with an image of a face; docs/faces.md tells each. */
export type EnrolmentProblem =
  | 'too-small'
  | 'blurred'
  | 'turned-away'
  | 'too-dark'
  | 'too-bright'
  | 'several-faces'
  | 'same-image'
  | 'nearly-the-same'
  | 'looks-like-another';

/** A collection of people whose faces are known. */
export interface Perception {
  /** What the operations of v1 name it by. */
  readonly model_id: number;
  /** The same as text. */
  readonly uid: string;
  readonly name: string;
  /** The similarity, 0 to 1, from which a face is taken for somebody. */
  readonly decision_similarity: number;
  readonly wants_liveness: boolean;
  /** Whether general recognition names faces by it. */
  readonly names_recognition: boolean;
  /** Problems for which an image is not added. */
  readonly refused_problems: readonly EnrolmentProblem[];
  /** Its own curve from cosine to similarity; null: the curve of the embedder. */
  readonly calibration: { readonly midpoint: number; readonly slope: number } | null;
  /** The model that describes its faces, with its version. */
  readonly embedder: string;
  readonly created_at: string;
}

export interface CountedPerception extends Perception {
  readonly people: number;
  readonly images: number;
}

export interface Person {
  readonly id: number;
  /** The perception. */
  readonly model_id: number;
  readonly name: string;
  /** Your own id of the person. */
  readonly key_id: string | null;
  /** How many. */
  readonly images: number;
  /** The newest of them; null without one. */
  readonly image_id: number | null;
  readonly created_at: string;
}

/** In pixels of the image as it is meant to be seen. */
export interface FaceBox {
  readonly x_min: number;
  readonly y_min: number;
  readonly x_max: number;
  readonly y_max: number;
}

export interface FaceQuality {
  /** Geometric mean of the sides of its box. */
  readonly size_px: number;
  readonly sharpness: number;
  readonly yaw_deg: number;
  readonly pitch_deg: number;
  readonly roll_deg: number;
  /** 0 to 255. */
  readonly brightness: number;
  /** The worst first. */
  readonly problems: readonly EnrolmentProblem[];
}

/** An image of a person's face. */
export interface FaceImage {
  readonly id: number;
  /** The perception. */
  readonly model_id: number;
  readonly person_id: number;
  /** By which it was added; null for one added by person. */
  readonly key_id: string | null;
  readonly content: {
    readonly kind: string;
    readonly width: number;
    readonly height: number;
    readonly bytes: number;
  };
  readonly box: FaceBox;
  /** Of the detector, 0 to 1. */
  readonly score: number;
  readonly quality: FaceQuality;
  readonly created_at: string;
}

/** What became of an image. With `refused` and `no-face` nothing is kept; they are results and no errors. */
export interface EnrolledImage {
  readonly outcome: 'added' | 'refused' | 'no-face';
  readonly image: FaceImage | null;
  /** What is wrong with the image, the worst first. */
  readonly findings: readonly { readonly problem: EnrolmentProblem; readonly advice: string }[];
}

/** The faces of an image, the largest first, and who they may be. */
export interface FaceMatches {
  readonly image: { readonly kind: string; readonly width: number; readonly height: number };
  readonly faces: readonly JudgedFace[];
}

export interface JudgedFace {
  readonly box: FaceBox;
  readonly score: number;
  readonly quality: FaceQuality;
  /** Probability of a living face; null unless the perception wants it. */
  readonly liveness: number | null;
  readonly verdict: 'match' | 'unsure' | 'unknown';
  /** Similarity of the best candidate less that of the second; null without candidates. */
  readonly margin: number | null;
  /** How likely somebody among the people would look so much like a stranger; null without candidates. */
  readonly false_match_rate: number | null;
  /** Best first, one a person, at most ten, below the decision point too. */
  readonly candidates: readonly FaceCandidate[];
}

export interface FaceCandidate {
  readonly person_id: number;
  readonly name: string;
  readonly key_id: string | null;
  /** The most similar image of the person. */
  readonly image_id: number;
  /** 0 to 1, calibrated. */
  readonly similarity: number;
  readonly is_match: boolean;
}

/** "This is not X": a face for which a search proposes the person no more. */
export interface Correction {
  readonly id: number;
  readonly person_id: number;
  readonly created_at: string;
}

export interface CorrectedPerson {
  readonly outcome: 'added' | 'no-face';
  readonly correction: Correction | null;
}

/** What was deleted, for good. */
export interface DeletionReceipt {
  readonly people: number;
  readonly images: number;
  readonly embeddings: number;
  readonly corrections: number;
  readonly image_bytes: number;
}

/** From a cosine to a similarity: 1 / (1 + exp(-slope (cosine - midpoint))). */
export interface SimilarityCurve {
  /** The cosine whose similarity is 0.5. */
  readonly midpoint: number;
  readonly slope: number;
}

export interface CurveInForce {
  readonly calibration: SimilarityCurve;
  readonly source: 'embedder' | 'own';
  readonly embedder_calibration: SimilarityCurve;
}

export interface CalibrationReport extends CurveInForce {
  /** A curve fitted to the perception's own people; null where there is none. */
  readonly proposal: ProposedCalibration | null;
  /** Why there is no proposal, such as how many images are needed. */
  readonly reason: string | null;
}

export interface ProposedCalibration {
  readonly calibration: SimilarityCurve;
  /** Looked at: people with two images or more, and their images. */
  readonly people: number;
  readonly images: number;
  readonly pairs: { readonly genuine: number; readonly impostor: number };
  /** The decision point of the perception on either curve. */
  readonly decision: { readonly now: DecisionPoint; readonly proposed: DecisionPoint };
  readonly distributions: PairDistributions;
}

/** A cosine from which faces are taken for somebody, and what that does to the pairs looked at. */
export interface DecisionPoint {
  readonly cosine: number;
  readonly similarity_now: number;
  readonly similarity_proposed: number;
  /** Of the pairs of two people's images, those that reach the cosine: 0 to 1. */
  readonly false_match_rate: number;
  /** Of the pairs of one person's images, those that do not. */
  readonly false_non_match_rate: number;
}

/** Cosines of pairs as bars of equal width from `from` to `to`: shares of each kind, which add up to 1. */
export interface PairDistributions {
  readonly from: number;
  readonly to: number;
  readonly genuine: readonly number[];
  readonly impostor: readonly number[];
}

/** What was made of an archive. */
export interface ImportReceipt {
  readonly perception: Perception;
  readonly people: number;
  readonly images: number;
  /** Of these images: the archive's embedder is not installed. */
  readonly re_embedded: number;
  /** Images in whose image the embedder at hand finds no face where the archive has one. */
  readonly left_out: number;
}
