import type { Box, Point } from '@lynceus/engine';
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
