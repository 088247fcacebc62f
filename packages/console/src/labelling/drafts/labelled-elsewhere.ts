import type { DatasetLabel } from '@lynceus/client';

type Labels = readonly DatasetLabel[] | null;

/** Labels that were not saved, for the image has others than when it was read here: another window or person gave it them. */
export class LabelledElsewhere extends Error {
  constructor(
    readonly labels: Labels,
    readonly revision: number,
  ) {
    super('the image was labelled elsewhere meanwhile');
  }
}

/** Whether two say the same of an image. */
export function isSame(one: Labels, other: Labels): boolean {
  return JSON.stringify(one?.map(plain)) === JSON.stringify(other?.map(plain));
}

function plain({ class_id, box }: DatasetLabel) {
  return [class_id, box && [box.x_min, box.y_min, box.x_max, box.y_max]];
}
