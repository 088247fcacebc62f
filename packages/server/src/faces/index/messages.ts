import type { IndexedFace, NearestQuery, Neighbour } from './face-index.js';

/** What the index worker is asked. Requests are carried out in the order in which they were sent. */
export type IndexRequest =
  | {
      readonly kind: 'nearest';
      readonly gallery: string;
      readonly query: Float32Array;
      readonly wanted: NearestQuery;
    }
  | { readonly kind: 'put'; readonly gallery: string; readonly faces: readonly IndexedFace[] }
  | { readonly kind: 'remove'; readonly gallery: string; readonly imageIds: readonly number[] }
  | { readonly kind: 'drop'; readonly gallery: string };

export interface IndexMessage {
  readonly id: number;
  readonly request: IndexRequest;
}

export interface IndexOutcome {
  readonly neighbours: readonly Neighbour[];
  /** Images that were not put, since their vectors are not as long as those of the gallery. */
  readonly misfits: readonly number[];
  /** Of the gallery afterwards. */
  readonly faces: number;
  readonly bytes: number;
}

export type IndexReport =
  | { readonly id: number; readonly outcome: IndexOutcome }
  | { readonly id: number; readonly failure: string };
