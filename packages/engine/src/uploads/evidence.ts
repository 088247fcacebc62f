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

/** Outputs with fewer boxes may be something else: no net has fewer before its overlaps are suppressed. */
export const fewestBoxes = 20;

export interface Evidence {
  readonly net: Net;
  readonly options: ImportOptions;
  /** Outputs for the first drawn image. */
  readonly seen: readonly Observed[];
  /** Outputs for each of the drawn images. */
  readonly observations: readonly (readonly Observed[])[];
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

/** An output for each of the drawn images. */
export function everySight({ observations }: Pick<Evidence, 'observations'>, name: string): Observed[] {
  return observations.flatMap((outputs) => outputs.find((output) => output.name === name) ?? []);
}

/** All numbers lie between 0 and 1, for each of the images. */
export function isShare(sights: readonly Pick<Observed, 'data'>[]): boolean {
  return sights.every(({ data }) => data.every((number) => number >= -1e-3 && number <= 1.001));
}

/** Mask prototypes [1,m,h,w] beside the boxes of a segmentation: how many there are. */
export function prototypesOf({ seen }: Evidence): number | undefined {
  const maps = seen.find(({ dims }) => dims.length === 4 && dims[0] === 1);
  if (maps === undefined) return undefined;
  // TensorFlow's layout has the channels last.
  const [, second = 0, third = 0, fourth = 0] = maps.dims;
  return second === third ? fourth : second;
}
