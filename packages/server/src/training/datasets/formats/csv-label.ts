import type { Split } from '../dataset.js';
import { type BoxColumns, placeBox } from './csv-columns.js';
import { classNameOf, type PlannedLabel } from './plan.js';

/** A line that names an image. */
export interface CsvRow {
  readonly file: string;
  readonly split: Split | null;
  /** Null: the image shows none of the classes, unless the label was lost. */
  readonly label: PlannedLabel | null;
  /** Why the label of the line cannot be used. */
  readonly fault: string | null;
}

/** What a record is where it names no image. */
export const noImage = 'does not name an image';

/** A row a class; one without a label where the image shows none. */
export function toRows(
  file: string,
  split: Split | null,
  classes: readonly string[],
): readonly Omit<CsvRow, 'fault'>[] {
  const labels = classes.flatMap((each) => {
    const className = classNameOf(each);
    return className === undefined ? [] : [{ className, box: null, unit: 'pixels' as const }];
  });
  return (labels.length === 0 ? [null] : labels).map((label) => ({ file, split, label }));
}

/** Null without a class and a box; a text says what is wrong with it. */
export function toLabel(
  name: string,
  corners: readonly string[],
  unit: PlannedLabel['unit'],
  kind: BoxColumns['kind'] = 'corners',
): PlannedLabel | string | null {
  const className = classNameOf(name);
  const hasBox = corners.some((corner) => corner !== '');
  if (className === undefined) return hasBox ? 'has a box and no class' : null;
  if (!hasBox) return { className, box: null, unit };
  const placed = placeBox(kind, corners);
  if (placed === undefined) {
    const isComma = corners.some((corner) => /^\d+,\d+$/.test(corner));
    return isComma
      ? 'has a box with decimal commas: write a point'
      : 'has half a box, or a number of it that is none';
  }
  return { className, ...placed, unit };
}
