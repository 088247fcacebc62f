import { type Static, Type } from 'typebox';
import { OrNull } from './or-null.js';

/** From how many percent on a class is answered; `*` is every one without a value of its own. */
const Percentages = Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 100 }));

const Side = Type.Number({ description: 'a number, 0 to 1 within the image' });

/** A part of the image with percentages of its own. */
const Region = Type.Object({
  top: Side,
  left: Side,
  bottom: Side,
  right: Side,
  detect: OrNull(Percentages, 'an object of percentages by label'),
  /** Whether an object counts that is wholly inside alone; else one that touches the region does. */
  covers: OrNull(Type.Boolean(), 'true or false'),
  id: OrNull(Type.String({ maxLength: 200 }), 'a text of 200 characters at most'),
});

/** What a client wants to know: classes in the whole image, and in parts of it. */
export const wantedProperties = {
  detect: OrNull(Percentages, 'an object of percentages by label, such as {"person": 60, "*": 80}'),
  regions: OrNull(
    Type.Array(Region, { maxItems: 100 }),
    'a list of at most 100 regions, each {"top": 0, "left": 0, "bottom": 1, "right": 1, "detect": {"*": 50}, "covers": false}',
  ),
};
const Wanted = Type.Object(wantedProperties);
export type Wanted = Static<typeof Wanted>;

/** A detection before it is known whether it is wanted: fractions of the image, and the score from 0 to 1. */
export interface Detection {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly label: string;
  readonly score: number;
}

/** The minimum score of all that is asked for, 0 to 1; undefined where nothing is. */
export function minWantedScore({ detect, regions }: Wanted): number | undefined {
  const all = [detect, ...(regions ?? []).map((region) => region.detect)];
  const percentages = all.flatMap((percentOf) => Object.values(percentOf ?? {}));
  return percentages.length === 0 ? undefined : Math.min(...percentages) / 100;
}

/** Where a detection is wanted: in the whole image (null), in a region by its id, or nowhere (undefined). */
export function whereWanted(
  { detect, regions }: Wanted,
  detection: Detection,
): { readonly regionId: string | null } | undefined {
  if (isWanted(detect, detection)) return { regionId: null };
  const region = regions?.find((each) => isIn(each, detection) && isWanted(each.detect, detection));
  return region && { regionId: region.id ?? null };
}

function isWanted(percentages: Wanted['detect'], { label, score }: Detection): boolean {
  const of = percentages ?? {};
  const percent = Object.hasOwn(of, label) ? of[label] : of['*'];
  return percent !== undefined && score >= percent / 100;
}

function isIn(region: Static<typeof Region>, box: Detection): boolean {
  return region.covers
    ? region.top <= box.top &&
        region.left <= box.left &&
        region.bottom >= box.bottom &&
        region.right >= box.right
    : box.top <= region.bottom &&
        box.left <= region.right &&
        box.bottom >= region.top &&
        box.right >= region.left;
}
