import type { Box } from '@lynceus/engine';
import { boxOfCorners, type PlacedLabel } from './box-corners.js';
import { numberOf, type PlannedLabel } from './plan.js';

/** Those of an export: a line a label, whose class stands as it is. */
export const ownCsvColumns = ['file', 'split', 'class', 'x_min', 'y_min', 'x_max', 'y_max'] as const;

/** What the columns of a file with a heading may be called. */
const headings = {
  file: [
    ...['file', 'filename', 'file_name', 'image', 'path', 'image_path', 'url', 'image_index'],
    ...['file_path', 'filepath', 'image_name', 'image_file', 'image_filename', 'imageid', 'image_id'],
  ],
  split: ['split', 'set', 'subset'],
  className: ['class', 'label', 'class_name', 'name', 'label_name', 'labelname'],
  /** Columns whose cells have any number of classes. */
  classNames: ['tags', 'labels', 'classes', 'class_names', 'finding_labels'],
  xMin: ['x_min', 'xmin', 'x1', 'left', 'bbox_xmin', 'bbox_x_min'],
  yMin: ['y_min', 'ymin', 'y1', 'top', 'bbox_ymin', 'bbox_y_min'],
  xMax: ['x_max', 'xmax', 'x2', 'right', 'bbox_xmax', 'bbox_x_max'],
  yMax: ['y_max', 'ymax', 'y2', 'bottom', 'bbox_ymax', 'bbox_y_max'],
  /** Of a box with a corner and sides. `x` and `y` alone may be its centre. */
  xCorner: ['bbox_x', 'box_x', 'bbox_left', 'x_left', 'x_top_left'],
  yCorner: ['bbox_y', 'box_y', 'bbox_top', 'y_top', 'y_top_left'],
  xCentre: [
    'x_center',
    'x_centre',
    'center_x',
    'centre_x',
    'cx',
    'xc',
    'xcenter',
    'bbox_x_center',
    'bbox_cx',
  ],
  yCentre: [
    'y_center',
    'y_centre',
    'center_y',
    'centre_y',
    'cy',
    'yc',
    'ycenter',
    'bbox_y_center',
    'bbox_cy',
  ],
  boxWidth: ['bbox_width', 'box_width', 'bbox_w', 'box_w', 'w'],
  boxHeight: ['bbox_height', 'box_height', 'bbox_h', 'box_h', 'h'],
  imageWidth: ['image_width', 'img_width'],
  imageHeight: ['image_height', 'img_height'],
  /** Of the image beside two corners, and else of the box. */
  width: ['width'],
  height: ['height'],
} as const;

export type Column = keyof typeof headings;
export type Columns = Partial<Record<Column, number>>;

export function describeColumns(): string {
  const spelled = (column: Column) => headings[column].slice(0, 4).join(' or ');
  return `known are ${spelled('file')} for the image, ${headings.className.join(' or ')} for the class, tags for several classes, split, and x_min, y_min, x_max, y_max for a box`;
}

/** Whether a column says that its numbers are shares of the sides. */
const ofShares = /_?(norm|normali[sz]ed|rel|relative)$/;

export function toHeading(cell: string): string {
  return cell.toLowerCase().replace(/[\s-]+/g, '_');
}

/** The column of each kind; of several that may say the class, the first of `className`. */
export function readHeading(names: readonly string[]): Columns {
  const plain = names.map((name) => name.replace(ofShares, ''));
  const columns: Columns = {};
  for (const [column, spellings] of Object.entries(headings) as [Column, readonly string[]][]) {
    const own = spellings.flatMap((spelling) => plain.flatMap((name, at) => (name === spelling ? [at] : [])));
    if (own[0] !== undefined) columns[column] = own[0];
  }
  return columns;
}

/** All columns that may say the class. */
export function classColumnsOf(names: readonly string[]): readonly number[] {
  const isClass = (name: string) => headings.className.some((spelling) => spelling === name);
  return names.flatMap((name, at) => (isClass(name) ? [at] : []));
}

/** Four columns that say a box, and how; null where there are none, or where it cannot be known. */
export interface BoxColumns {
  readonly kind: 'corners' | 'corner' | 'centre';
  readonly at: readonly (number | undefined)[];
  readonly unit: PlannedLabel['unit'];
  /** Of the image. */
  readonly size: readonly [number | undefined, number | undefined];
}

/**
 * @param heading as it is spelled in the file
 * @param names of the same columns, as `toHeading` makes them
 */
export function readBoxColumns(
  heading: readonly string[],
  names: readonly string[],
  columns: Columns,
  body: readonly (readonly string[])[],
): BoxColumns | null {
  const { xMin, yMin, xMax, yMax, xCorner, yCorner, xCentre, yCentre } = columns;
  const [width, height] = [columns.boxWidth ?? columns.width, columns.boxHeight ?? columns.height];
  const [isOfImageX, isOfImageY] = [width !== columns.width, height !== columns.height];
  const size = [
    columns.imageWidth ?? (isOfImageX ? columns.width : undefined),
    columns.imageHeight ?? (isOfImageY ? columns.height : undefined),
  ] as const;
  const ofKind = (kind: BoxColumns['kind'], at: BoxColumns['at'], own: BoxColumns['size'] = size) => {
    const isShare = at.every((index) => index !== undefined && ofShares.test(names[index] ?? ''));
    const unit = isShare || isOpenImages(heading, names, at, body) ? ('share' as const) : ('pixels' as const);
    return { kind, at, unit, size: own };
  };
  const corners = [xMin, yMin, xMax, yMax];
  const sizeBesideCorners = [
    columns.imageWidth ?? columns.width,
    columns.imageHeight ?? columns.height,
  ] as const;
  if (corners.every((index) => index !== undefined)) return ofKind('corners', corners, sizeBesideCorners);
  const hasEnd = xMax !== undefined || yMax !== undefined;
  // Beside a second corner, plain width and height are those of the image.
  const isOfBox = !hasEnd || (isOfImageX && isOfImageY);
  const hasSides = width !== undefined && height !== undefined && isOfBox;
  if (xCentre !== undefined && yCentre !== undefined && hasSides)
    return ofKind('centre', [xCentre, yCentre, width, height]);
  const [left, top] = [xCorner ?? xMin, yCorner ?? yMin];
  if (left !== undefined && top !== undefined && !hasEnd && hasSides)
    return ofKind('corner', [left, top, width, height]);
  if (corners.every((index) => index === undefined)) return null;
  return ofKind('corners', corners, sizeBesideCorners);
}

/**
 * Whether the boxes are in shares, as those of Open Images, which names its images by their ids. Other files have a column `ImageId`
 * too: theirs are in shares where no number is too large for one.
 */
function isOpenImages(
  heading: readonly string[],
  names: readonly string[],
  at: BoxColumns['at'],
  body: readonly (readonly string[])[],
): boolean {
  if (!names.includes('imageid')) return false;
  if (['ImageID', 'LabelName', 'XMin'].every((name) => heading.includes(name))) return true;
  return body.every((record) =>
    at.every((index) => Math.abs((index === undefined ? undefined : numberOf(record[index])) ?? 0) <= 2),
  );
}

/** Undefined where one is no number. */
export function placeBox(kind: BoxColumns['kind'], cells: readonly string[]): PlacedLabel | undefined {
  const values = cells.map(numberOf);
  if (kind === 'corners') return boxOfCorners(values);
  const [x, y, width, height] = values;
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
  const [left, top] = kind === 'corner' ? [x, y] : [x - width / 2, y - height / 2];
  const box: Box = { xMin: left, yMin: top, xMax: left + width, yMax: top + height };
  return { box };
}

/** Columns that may be of a box, and are not read as one. */
const maybeOfBox =
  /^(b?box_)?(x|y|w|h|width|height|[xy]_?cent(er|re)|cent(er|re)_?[xy]|c[xy])$|^(b?box|bounding_box|boxes|coordinates)$/;

/** What to do where columns may be of boxes, and how cannot be known; null where there are none. */
export function describeUnreadBoxes(names: readonly string[]): string | null {
  const unread = names.filter((name) => maybeOfBox.test(name));
  const isOne = unread.some((name) => /^(b?box|bounding_box|boxes|coordinates)$/.test(name));
  if (unread.length < 4 && !isOne) return null;
  return `its columns ${unread.join(', ')} are not read as boxes, since they may mean several: name them x_min, y_min, x_max, y_max for corners, bbox_x, bbox_y, bbox_width, bbox_height for the top left corner and the sides, or x_center, y_center, w, h`;
}
