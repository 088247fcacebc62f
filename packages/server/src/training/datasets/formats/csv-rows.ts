import { parse } from 'csv-parse/sync';
import { fileOfAutoMl, fromAutoMl } from './csv-automl.js';
import { type ClassCells, plainCells, readClassCells } from './csv-cells.js';
import {
  type BoxColumns,
  type Columns,
  classColumnsOf,
  describeColumns,
  describeUnreadBoxes,
  ownCsvColumns,
  readBoxColumns,
  readHeading,
  toHeading,
} from './csv-columns.js';
import { type CsvRow, noImage, toLabel, toRows } from './csv-label.js';
import { readOneHot } from './csv-one-hot.js';
import { FormatError, numberOf, sizeOf, splitOf } from './plan.js';

interface Rows {
  readonly rows: readonly CsvRow[];
  /** Of lines that name no image. */
  readonly faults: readonly string[];
  /** What the file may mean otherwise than it is read. */
  readonly doubts: readonly string[];
}

/** The line that Excel reads and writes above a table: it is no part of it. */
const declaredDelimiter = /^\uFEFF?"?sep=([,;\t|])"?[ \t]*(?:\r\n?|\n|$)/i;

/**
 * Throws `FormatError` for what is no CSV, or whose columns nobody can know.
 * @param isThere whether there is an image of this name
 */
export function parseCsv(text: string, path: string, isThere: (name: string) => boolean = () => true): Rows {
  const declared = declaredDelimiter.exec(text);
  const table = declared ? text.slice(declared[0].length) : text;
  const [first = ''] = table.split('\n', 1);
  const commonest = [',', ';', '\t', '|'].sort((a, b) => first.split(b).length - first.split(a).length)[0];
  const delimiter = declared?.[1] ?? commonest ?? ',';
  let records: string[][];
  try {
    records = parse(table, {
      bom: true,
      delimiter,
      trim: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: 65_536,
    });
  } catch (cause) {
    throw new FormatError(`${path} is not CSV`, { cause });
  }
  const [heading] = records;
  if (heading === undefined) return { rows: [], faults: [], doubts: [] };
  const names = heading.map(toHeading);
  const columns = readHeading(names);
  if (columns.file === undefined) {
    const at = idColumnOf(records, names, isThere);
    if (at !== undefined) columns.file = at;
  }
  if (columns.file === undefined) {
    const known = records.length === 0 || records.some((record) => isThere(fileOfAutoMl(record)));
    if (!known) {
      throw new FormatError(
        `${path} names none of the images: its first line is ${heading.join(', ')}; ${describeColumns()}`,
      );
    }
    return collect(records, 1, fromAutoMl);
  }
  const body = records.slice(1);
  const { split } = columns;
  const column = chooseClassColumn(names, columns, body);
  if (column) {
    const { at } = column;
    if (body.some((record) => isJson(record[at] ?? '')))
      throw new FormatError(
        `${path} has JSON in its column ${heading[at]}, as Label Studio writes: export as COCO or YOLO from there instead`,
      );
    const isOwn = names.join() === ownCsvColumns.join();
    const cells = isOwn
      ? plainCells
      : readClassCells(
          heading[at] ?? '',
          body.map((record) => record[at] ?? ''),
          column.isOfSeveral,
        );
    const boxes = readBoxColumns(heading, names, columns, body);
    const isOpenImages = names.includes('imageid') && names.includes('labelname');
    const confidence = isOpenImages ? names.indexOf('confidence') : -1;
    const classOf = readClassCell(names, body, column);
    const read = collect(body, 2, (record) =>
      fromColumns(record, columns, { classOf, cells, boxes, ...(confidence >= 0 && { confidence }) }),
    );
    const unread = boxes === null ? describeUnreadBoxes(names) : null;
    return {
      ...read,
      doubts: [...read.doubts, ...column.doubts, ...cells.doubts, ...(unread === null ? [] : [unread])],
    };
  }
  const classesOf = readOneHot(heading, columns, body);
  if (classesOf)
    return collect(body, 2, (record) => {
      const file = record[columns.file ?? 0] ?? '';
      if (file === '') return noImage;
      const classes = classesOf(record);
      if (classes === null) return { file, fault: 'has a cell that is neither 0 nor 1' };
      return toRows(file, split === undefined ? null : splitOf(record[split] ?? ''), classes);
    });
  throw new FormatError(
    `${path} has no column that says the class. Its columns are ${heading.join(', ')}; ${describeColumns()}`,
  );
}

/** The column `id` of Kaggle's tables, whose cells are the names of images without their endings. */
function idColumnOf(
  [heading = [], ...body]: readonly (readonly string[])[],
  names: readonly string[],
  isThere: (name: string) => boolean,
): number | undefined {
  const at = names.indexOf('id');
  const isHeading = at >= 0 && !heading.some((cell) => cell !== '' && isThere(cell));
  return isHeading && body.some((record) => isValue(record[at]) && isThere(record[at] ?? ''))
    ? at
    : undefined;
}

interface ClassColumn {
  readonly at: number;
  readonly isOfSeveral: boolean;
  /** Other columns with values that may say the class. */
  readonly others: readonly number[];
  readonly doubts: readonly string[];
}

/** Where several may say it, one with names goes before one with numbers, which may be their ids. One without a value is none. */
function chooseClassColumn(
  names: readonly string[],
  { className, classNames }: Columns,
  body: readonly (readonly string[])[],
): ClassColumn | null {
  const isFilled = (at: number) => body.some((record) => isValue(record[at]));
  const candidates = classColumnsOf(names).filter(isFilled);
  const ofSeveral = classNames === undefined ? null : { at: classNames, isOfSeveral: true };
  if (ofSeveral && (className === undefined || (candidates.length === 0 && isFilled(ofSeveral.at))))
    return { ...ofSeveral, others: [], doubts: [] };
  if (className === undefined) return null;
  const isNumbers = (at: number) =>
    body.every((record) => !isValue(record[at]) || numberOf(record[at]) !== undefined);
  const ordered = candidates.includes(className) ? [className, ...candidates] : candidates;
  const at = ordered.find((each) => !isNumbers(each)) ?? ordered[0] ?? className;
  const differing = candidates.filter((each) => body.some((record) => record[each] !== record[at]));
  const doubts = differing.map(
    (each) => `its columns ${names[at]} and ${names[each]} may both say the class: ${names[at]} is read`,
  );
  return { at, isOfSeveral: false, others: candidates.filter((each) => each !== at), doubts };
}

/**
 * The cell of the class of a record. Where it is empty, another column that may say the class has it if it names one that the
 * column of the class has too; a name that this has nowhere may be no class, and is a fault.
 */
function readClassCell(
  names: readonly string[],
  body: readonly (readonly string[])[],
  { at, others }: ClassColumn,
): Reading['classOf'] {
  if (others.length === 0) return (record) => record[at] ?? '';
  const known = new Set(body.map((record) => record[at]));
  return (record) => {
    const other = isValue(record[at]) ? undefined : others.find((each) => isValue(record[each]));
    if (other === undefined) return record[at] ?? '';
    const cell = record[other] ?? '';
    if (known.has(cell)) return cell;
    return {
      fault: `has nothing in its column ${names[at]}, and in ${names[other]} ${JSON.stringify(cell.slice(0, 80))}, which may be no class: write the class into ${names[at]}`,
    };
  };
}

function isValue(cell: string | undefined): boolean {
  return cell !== undefined && cell.trim() !== '';
}

/** Annotations rather than the name of a class. */
function isJson(cell: string): boolean {
  return /^\s*(\[\s*)?\{\s*"/.test(cell);
}

function collect(
  records: readonly string[][],
  firstNumber: number,
  read: (
    record: readonly string[],
  ) => readonly Omit<CsvRow, 'fault'>[] | string | { file: string; fault: string },
): Rows {
  const rows: CsvRow[] = [];
  const faults: string[] = [];
  for (const [index, record] of records.entries()) {
    const result = read(record);
    const place = `record ${index + firstNumber}`;
    if (typeof result === 'string') faults.push(`${place} ${result}`);
    else if ('fault' in result) {
      rows.push({ file: result.file, split: null, label: null, fault: `${place} ${result.fault}` });
    } else rows.push(...result.map((row) => ({ ...row, fault: null })));
  }
  const boxes = rows.flatMap(({ label }) => (label?.box ? [label] : []));
  const swapped = boxes.filter(({ isSwapped }) => isSwapped).length;
  const doubts =
    swapped > 0 && swapped < boxes.length
      ? [
          `of its ${boxes.length} boxes ${swapped} have the second corner left of the first one or above it, and the others do not: the columns may be width and height`,
        ]
      : [];
  return { rows, faults, doubts };
}

interface Reading {
  /** The cell with the class of a record, or why it cannot be known. */
  readonly classOf: (record: readonly string[]) => string | { readonly fault: string };
  readonly cells: ClassCells;
  readonly boxes: BoxColumns | null;
  /** The column of Open Images that is 0 where a class is not in the image. */
  readonly confidence?: number;
}

function fromColumns(
  record: readonly string[],
  columns: Columns,
  { classOf, cells, boxes, confidence }: Reading,
) {
  const value = (index: number | undefined) => (index === undefined ? '' : (record[index] ?? ''));
  const file = value(columns.file);
  if (file === '') return noImage;
  const split = splitOf(value(columns.split));
  // Open Images lists what people looked for in vain, too.
  if (confidence !== undefined && numberOf(value(confidence)) === 0)
    return { file, fault: 'says by Confidence 0 that its class is not in the image: other classes may be' };
  const corners = boxes?.at.map(value) ?? [];
  const hasBox = corners.some((corner) => corner !== '');
  const cell = classOf(record);
  const classes = typeof cell === 'string' ? cells.classesOf(cell) : cell;
  if ('fault' in classes) return { file, fault: classes.fault };
  if (!boxes || !hasBox) return toRows(file, split, classes);
  if (classes.length > 1) return { file, fault: 'has several classes for one box' };
  const label = toLabel(classes[0] ?? '', corners, boxes.unit, boxes.kind);
  if (typeof label === 'string') return { file, fault: label };
  const declared = boxes.unit === 'pixels' ? sizeOf(value(boxes.size[0]), value(boxes.size[1])) : undefined;
  return [{ file, split, label: label && { ...label, ...(declared && { declared }) } }];
}
