import type { Box, Point } from '@lynceus/engine';
import type { ObjectDetection, ObjectLabel } from './detections.js';

/** A tracked object as events report it. */
export interface TrackState {
  /** Of this observer; never used again. */
  readonly id: number;
  /** The class by votes. */
  readonly label: ObjectLabel;
  /** Median of the last scores, 0 to 1. */
  readonly score: number;
  readonly topScore: number;
  /** Where it was last seen, in pixels of the frame. */
  readonly box: Box;
  /** Pixels a second. */
  readonly velocity: Point;
  readonly startedAtMs: number;
  readonly lastSeenAtMs: number;
  readonly isStationary: boolean;
  /** Zones that it is in, and those that it has ever entered, by name. */
  readonly currentZones: readonly string[];
  readonly enteredZones: readonly string[];
  /** Whose face it is, by votes. */
  readonly person: RecognisedPerson | null;
  /** Texts on it that readings agree on. */
  readonly texts: readonly string[];
}

interface RecognisedPerson {
  readonly personId: number;
  readonly name: string;
  /** Mean similarity, 0 to 1. */
  readonly score: number;
}

/** One analysed frame. Boxes are in its pixels. */
export interface Look {
  readonly atMs: number;
  readonly width: number;
  readonly height: number;
  /** With scores from `lowScore` of the tracker on. */
  readonly detections: readonly ObjectDetection[];
  readonly faces: readonly SeenFace[];
  readonly texts: readonly SeenText[];
}

export interface SeenFace {
  readonly box: Box;
  /** How well it can be recognised, 0 to 1. */
  readonly quality: number;
  /** Who it is taken for; the similarity is 0 to 1, one half at the decision point. Null for a stranger. */
  readonly person: { readonly personId: number; readonly name: string; readonly similarity: number } | null;
}

export interface SeenText {
  readonly box: Box;
  readonly text: string;
  /** 0 to 1. */
  readonly score: number;
}

/**
 * What happened to a track. Each has exactly one `start` and one `end`, each `zone_entered` a `zone_left`. `update` says that the class,
 * the name, the texts, the zones, the stationary state or the best look changed.
 */
export interface TrackEvent {
  readonly kind:
    | 'start'
    | 'update'
    | 'end'
    | 'zone_entered'
    | 'zone_left'
    | 'person_recognised'
    | 'text_read';
  readonly atMs: number;
  readonly track: TrackState;
  /** Of zone_entered and zone_left. */
  readonly zone?: string;
  /** Of text_read. */
  readonly text?: string;
  /** Of start and update: this frame is the best look at the object so far; keep it as its snapshot. */
  readonly isBest?: boolean;
}

/** A text that readings agree on and that is on no tracked object: a sign, a screen. */
export interface SceneText {
  /** Where it was read last. */
  readonly box: Box;
  readonly text: string;
  /** Mean score of the readings, 0 to 1. */
  readonly score: number;
}
