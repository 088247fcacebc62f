/** Something found in an image, as it is drawn over it and listed beside it. */
export interface Finding {
  readonly id: string;
  readonly kind: FindingKind;
  readonly label: string;
  /** 0 to 1; null where the service returns none. */
  readonly score: number | null;
  /** Corners in pixels of the image as it is seen; null for what is said of the whole image. */
  readonly corners: readonly Corner[] | null;
  /** What more is known of it, such as classes of an object. */
  readonly details: readonly string[];
}

export type FindingKind = 'object' | 'text' | 'face' | 'class';
export type Corner = readonly [x: number, y: number];

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
