import type { ImportOptions, UploadFamily } from './import-options.js';
import type { UsualInput } from './input.js';
import type { KnownLabels } from './labels.js';
import type { Net } from './net.js';
import type { Observed } from './observe.js';
import type { UploadPlan } from './plan.js';

/** A head with its usual preprocessing, the basis of a plan. */
export interface FoundHead {
  readonly family: UploadFamily;
  readonly head: UploadPlan['head'];
  readonly labels: readonly string[];
  readonly usual: UsualInput;
  readonly notes: readonly string[];
}

export interface Evidence {
  readonly net: Net;
  readonly options: ImportOptions;
  readonly seen: readonly Observed[];
  readonly known: KnownLabels;
  readonly width: number;
  readonly height: number;
}

/** [1,n], perhaps with further sides of 1. */
export function isVector({ dims, data }: Observed): boolean {
  return data.length > 0 && dims.filter((side) => side !== 1).length <= 1 && dims.length <= 4;
}

export function describe(seen: readonly Observed[]): string {
  return seen.map(({ title, dims }) => `${title} [${dims.join(',')}]`).join(', ') || 'nothing';
}

/** Whether boxes are in pixels or fractions of the image. */
export function unitOf(evidence: Evidence, sides: Iterable<number>): 'pixels' | 'relative' {
  const { options } = evidence;
  if (options.boxes?.unit !== undefined) return options.boxes.unit;
  let greatest = 0;
  for (const side of sides) greatest = Math.max(greatest, Math.abs(side));
  return greatest > 3 ? 'pixels' : 'relative';
}
