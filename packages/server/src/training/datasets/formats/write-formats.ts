import type { DatasetTask, ImageLabel, Split } from '../dataset.js';
import type { FormatName } from './plan.js';

/** An image as a format gets it. */
export interface WrittenImage {
  readonly id: number;
  /** No other image has it. */
  readonly fileName: string;
  readonly split: Split | null;
  readonly width: number;
  readonly height: number;
  /** Null while nobody said what it shows. */
  readonly labels:
    | readonly (ImageLabel & { readonly className: string; readonly classIndex: number })[]
    | null;
}

export interface WrittenText {
  readonly path: string;
  /** In pieces, since there may be much of it. */
  readonly pieces: Iterable<string> | AsyncIterable<string>;
}

/** The same images with the labels that they have by now; those that were deleted meanwhile are left out. */
type ReadAgain = (images: readonly WrittenImage[]) => AsyncIterable<WrittenImage>;

/** How one format writes a dataset. */
export interface FormatWriter {
  /** Where the image goes. */
  pathOf(image: WrittenImage): string;
  /** What goes beside it. */
  describe?(image: WrittenImage): WrittenText | null;
  /** What comes last. Labels are read again for it, since those of all images do not fit the memory. */
  finish?(readAgain: ReadAgain): readonly WrittenText[];
}

interface FormatWriters {
  readonly tasks: readonly DatasetTask[];
  /** Whether it can say that an image has several classes. */
  readonly takesSeveral: boolean;
  open(classNames: readonly string[]): FormatWriter;
}

export type WriterTable = Readonly<Record<FormatName, FormatWriters>>;

/** The folder of a split, as most programs call it. */
export function splitFolder(split: Split | null): string {
  return split === null ? 'unassigned' : split === 'train' ? 'train' : 'val';
}
