import type { ImportOptions } from './import-options.js';
import { UploadRefused } from './upload-refused.js';

/** Class numbers that a net answered with at least this score show how it counts. */
export const leastScore = 0.05;

interface ClassClues {
  readonly options: ImportOptions;
  /** Numbers of the classes that were answered for the drawn images. */
  readonly answered: readonly number[];
  /** How many labels there are; undefined where none are known. */
  readonly labels: number | undefined;
  /** How the recognised family counts, and its name. */
  readonly usual: { readonly firstClass: 0 | 1; readonly as: string };
}

/** The number of the first label: 0, or 1 where 0 is the background. */
export function firstClassOf({ options, answered, labels, usual }: ClassClues): {
  firstClass: number;
  notes: string[];
} {
  if (options.firstClass !== undefined) return { firstClass: options.firstClass, notes: [] };
  const least = Math.min(...answered);
  const greatest = Math.max(...answered);
  if (labels !== undefined && greatest > labels) {
    throw new UploadRefused(
      `the model answered class ${greatest} for a drawn image, and there are ${labels} labels; give a label for each class, or first_class`,
    );
  }
  if (least === 0) {
    const notes =
      usual.firstClass === 1 ? ['Class 0 was answered for a drawn image: its classes count from 0.'] : [];
    return { firstClass: 0, notes };
  }
  if (greatest === labels && usual.firstClass === 0) {
    const note = `Class ${greatest} was answered for a drawn image, and there are ${labels} labels: its classes count from 1. Give first_class where that is wrong.`;
    return { firstClass: 1, notes: [note] };
  }
  if (usual.firstClass === 0) return { firstClass: 0, notes: [] };
  const note = `Its classes count from 1, as ${usual.as}: class 0 is the background. Give first_class 0 where they count from 0.`;
  return { firstClass: 1, notes: [note] };
}
