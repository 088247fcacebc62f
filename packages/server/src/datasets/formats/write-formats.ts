import type { DatasetTask, PictureLabel, Split } from '../dataset.js';
import type { FormatName } from './plan.js';

/** A picture as a format is told of it. */
export interface WrittenPicture {
  /** No other picture has it. */
  readonly fileName: string;
  readonly split: Split | null;
  readonly width: number;
  readonly height: number;
  /** Null while nobody said what it shows. */
  readonly labels:
    | readonly (PictureLabel & { readonly className: string; readonly classIndex: number })[]
    | null;
}

export interface WrittenText {
  readonly path: string;
  /** In pieces, since there may be much of it. */
  readonly pieces: Iterable<string>;
}

/** How one format writes a dataset. */
export interface FormatWriter {
  /** Where the picture goes. */
  place(picture: WrittenPicture): string;
  /** What goes beside it. */
  describe?(picture: WrittenPicture): WrittenText | null;
  /** What comes last. */
  finish?(): readonly WrittenText[];
}

export interface FormatWriters {
  readonly tasks: readonly DatasetTask[];
  /** Whether it can say that a picture has several classes. */
  readonly takesSeveral: boolean;
  open(classNames: readonly string[]): FormatWriter;
}

export type WriterTable = Readonly<Record<FormatName, FormatWriters>>;

/** The folder of a split, as most programs call it. */
export function splitFolder(split: Split | null): string {
  return split === null ? 'unassigned' : split === 'train' ? 'train' : 'val';
}
