import type { UltralyticsHints } from './net.js';

/** What the columns of a YOLO are, after the four of the box. */
export interface ColumnParts {
  readonly objectness: boolean;
  readonly classes: number;
  readonly extra: Extra;
}

interface Extra {
  readonly kind: 'nothing' | 'mask coefficients' | 'key points' | 'the angle';
  readonly columns: number;
}

export interface ColumnClues {
  readonly columns: number;
  /** True for [1,columns,n]. */
  readonly columnsFirst: boolean;
  /** Classes that have a name. */
  readonly labels: number | undefined;
  /** Fixed by the layout that the options name. */
  readonly objectness: boolean | undefined;
  readonly ultralytics: UltralyticsHints | undefined;
  /** Mask prototypes in another output. */
  readonly prototypes: number | undefined;
  /** Whether all numbers of a column lie between 0 and 1, as scores do. */
  isShare(column: number): boolean;
}

const nothing: Extra = { kind: 'nothing', columns: 0 };
const angle: Extra = { kind: 'the angle', columns: 1 };
/** As Ultralytics' nets have, unless another number of prototypes is seen. */
const usualMasks = 32;
/** COCO's 17 points of three numbers. */
const usualPoints = 51;

/** Explains every column; undefined where some of them stay unexplained. */
export function explainColumns(clues: ColumnClues): ColumnParts | undefined {
  const { columns, labels } = clues;
  for (const objectness of possibleObjectness(clues)) {
    for (const extra of possibleExtras(clues, objectness)) {
      const classes = columns - 4 - extra.columns - (objectness ? 1 : 0);
      if (classes >= 1 && (labels === undefined || classes === labels)) return { objectness, classes, extra };
    }
  }
  return undefined;
}

/** Columns that lie first have no objectness; those that lie last have one, as YOLOv5 and YOLOX, unless the names say otherwise. */
function possibleObjectness({ columnsFirst, labels, objectness, ultralytics }: ColumnClues): boolean[] {
  if (objectness !== undefined) return [objectness];
  if (columnsFirst) return [false];
  if (labels === undefined) return [ultralytics?.task === undefined];
  return [false, true];
}

function possibleExtras(clues: ColumnClues, objectness: boolean): Extra[] {
  const { columns, labels, ultralytics, prototypes, columnsFirst } = clues;
  const masks: Extra = { kind: 'mask coefficients', columns: prototypes ?? usualMasks };
  const first = objectness ? 5 : 4;
  const keyPoints = (numbers: number): Extra => ({ kind: 'key points', columns: numbers });
  switch (ultralytics?.task) {
    case 'detect':
      return [nothing];
    case 'segment':
      return [masks];
    case 'obb':
      return [angle];
    case 'pose': {
      const numbers = ultralytics.keyPointNumbers ?? columns - first - (labels ?? 1);
      return numbers > 0 ? [keyPoints(numbers)] : [];
    }
    default:
  }
  if (prototypes !== undefined && columns > first + prototypes) return [masks, nothing];
  if (labels !== undefined) {
    const rest = columns - first - labels;
    const isPose = rest > 2 && (rest % 3 === 0 || rest % 2 === 0) && !clues.isShare(columns - rest);
    const isUsual = rest === usualMasks || rest === usualPoints;
    const isTurned = columnsFirst && rest === 1 && !clues.isShare(columns - 1);
    if (isUsual) return [nothing, rest === usualMasks ? masks : keyPoints(rest)];
    return [nothing, ...(isTurned ? [angle] : []), ...(isPose ? [keyPoints(rest)] : [])];
  }
  return [byValues(clues, first)];
}

/** Without names and metadata: columns of scores come first; what follows them and leaves 0 to 1 is something else. */
function byValues({ columns, columnsFirst, isShare }: ColumnClues, first: number): Extra {
  let scores = 0;
  while (first + scores < columns && isShare(first + scores)) scores += 1;
  const rest = columns - first - scores;
  // Logits leave 0 to 1 from the first column on.
  if (rest === 0 || scores === 0) return nothing;
  if (rest === 1 && columnsFirst) return angle;
  return rest > 2 && (rest % 3 === 0 || rest % 2 === 0) ? { kind: 'key points', columns: rest } : nothing;
}
