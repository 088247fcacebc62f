import type { FormatName, PlanFinding, PlannedImage } from '../formats/plan.js';

export interface TreeLocation {
  readonly kind: 'zip' | 'folder';
  readonly path: string;
}

export type TreeRequest =
  /** First of all. */
  | { readonly ask: 'plan'; readonly location: TreeLocation; readonly format: FormatName | null }
  /** Images of the plan. */
  | { readonly ask: 'next'; readonly from: number; readonly count: number }
  /** Writes a file of the tree into one that is there already. */
  | { readonly ask: 'extract'; readonly path: string; readonly toPath: string; readonly maxBytes: number };

export interface TreePlan {
  readonly format: FormatName;
  readonly classes: readonly string[];
  readonly images: number;
  readonly findings: readonly PlanFinding[];
}

export type Extracted = { readonly bytes: number } | { readonly problem: 'too-large' | 'unreadable' };

export interface TreeAnswers {
  readonly plan: TreePlan;
  readonly next: readonly PlannedImage[];
  readonly extract: Extracted;
}

export interface TreeMessage {
  readonly id: number;
  readonly request: TreeRequest;
}

export type TreeReport = { readonly id: number } & (
  | { readonly answer: TreeAnswers[keyof TreeAnswers] }
  /** For the owner of the files, when `isTheirs`. */
  | {
      readonly failure: string;
      readonly isUserError: boolean;
      /** Of the system, such as ENOSPC. */
      readonly code: string | undefined;
    }
);
