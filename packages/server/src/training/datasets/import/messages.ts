import type { PlanFinding, PlannedImage, ReadableFormat } from '../formats/plan.js';

export interface TreeLocation {
  readonly kind: 'zip' | 'folder';
  readonly path: string;
}

export type TreeRequest =
  /** First of all. */
  | { readonly ask: 'plan'; readonly location: TreeLocation; readonly format: ReadableFormat | null }
  /** Names of classes of the plan. */
  | { readonly ask: 'classes'; readonly from: number }
  /** Of them those that its files define and give no label. */
  | { readonly ask: 'unlabelled'; readonly from: number }
  /** Findings of the plan. */
  | { readonly ask: 'findings'; readonly from: number }
  /** Images of the plan. */
  | { readonly ask: 'next'; readonly from: number; readonly count: number }
  /** Writes a file of the tree into one that is there already. */
  | { readonly ask: 'extract'; readonly path: string; readonly toPath: string; readonly maxBytes: number };

export interface TreePlan {
  readonly format: ReadableFormat;
  /** How many there are of each, which are sent in portions. */
  readonly classes: number;
  readonly unlabelled: number;
  readonly images: number;
  readonly findings: number;
}

export type Extracted = { readonly bytes: number } | { readonly problem: 'too-large' | 'unreadable' };

export interface TreeAnswers {
  readonly plan: TreePlan;
  readonly classes: readonly string[];
  readonly unlabelled: readonly string[];
  readonly findings: readonly PlanFinding[];
  readonly next: readonly PlannedImage[];
  readonly extract: Extracted;
}

export interface TreeMessage {
  readonly id: number;
  readonly request: TreeRequest;
}

export type TreeReport = { readonly id: number } & (
  | { readonly answer: TreeAnswers[keyof TreeAnswers] }
  /** The owner of the files reads `failure` when `isUserError`, and else the log has it. */
  | {
      readonly failure: string;
      readonly isUserError: boolean;
      /** Of the system, such as ENOSPC. */
      readonly code: string | undefined;
    }
);
