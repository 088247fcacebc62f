import type { Box, Label, Point } from '@lynceus/engine';
import type { StreamEventKind } from '../../storage/tables/streams.js';

export interface TrackState {
  readonly id: number;
  readonly label: { readonly title: string };
  readonly score: number;
  readonly topScore: number;
  readonly box: Box;
  readonly velocity: Point;
  readonly startedAtMs: number;
  readonly lastSeenAtMs: number;
  readonly isStationary: boolean;
  readonly currentZones: readonly string[];
  readonly enteredZones: readonly string[];
  readonly person: { readonly personId: number; readonly name: string; readonly score: number } | null;
  readonly texts: readonly string[];
}

export interface TrackEvent {
  readonly kind: StreamEventKind;
  readonly atMs: number;
  readonly track: TrackState;
  readonly zone?: string;
  readonly text?: string;
  readonly isBest?: boolean;
}

export interface Look {
  readonly atMs: number;
  readonly width: number;
  readonly height: number;
  readonly detections: readonly { readonly box: Box; readonly score: number; readonly label: Label }[];
  readonly faces: readonly {
    readonly box: Box;
    readonly quality: number;
    readonly person: { readonly personId: number; readonly name: string; readonly similarity: number } | null;
  }[];
  readonly texts: readonly { readonly box: Box; readonly text: string; readonly score: number }[];
}

export interface TrackObserver {
  observe(look: Look): { readonly events: readonly TrackEvent[]; readonly tracks: readonly TrackState[] };
  end(atMs: number): readonly TrackEvent[];
  refuse(trackId: number, personId: number): void;
}
