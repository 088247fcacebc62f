/** Something found in an image, to be drawn over it and listed beside it. */
export interface Finding {
  readonly id: string;
  readonly kind: FindingKind;
  readonly label: string;
  /** 0 to 1; null where the service returns none. */
  readonly score: number | null;
  /** Corners in pixels of the image, turned by its orientation; null for a finding about the whole image. */
  readonly corners: readonly Corner[] | null;
  /** More about it, such as the classes of an object. */
  readonly details: readonly string[];
}

export type FindingKind = 'object' | 'text' | 'face' | 'class';
export type Corner = readonly [x: number, y: number];

/** A finding, numbered within its kind. */
export function toFinding(
  kind: FindingKind,
  index: number,
  found: Pick<Finding, 'label' | 'score'> & Partial<Pick<Finding, 'corners' | 'details'>>,
): Finding {
  return { id: `${kind}-${index}`, kind, corners: null, details: [], ...found };
}

export function cornersOfBox(xmin: number, ymin: number, xmax: number, ymax: number): readonly Corner[] {
  return [
    [xmin, ymin],
    [xmax, ymin],
    [xmax, ymax],
    [xmin, ymax],
  ];
}

/** Parses `X1,X2,Y1,Y2`, the boxes of v1. */
export function cornersOfText(coordinates: string): readonly Corner[] {
  const [xmin = 0, xmax = 0, ymin = 0, ymax = 0] = coordinates.split(',').map(Number);
  return cornersOfBox(xmin, ymin, xmax, ymax);
}
