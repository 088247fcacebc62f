import type { Column, Columns } from './csv-columns.js';

const yes = /^(1(\.0*)?|true)$/i;
const no = /^(0(\.0*)?|false)$/i;
/** Columns beside those of classes. */
const others: readonly Column[] = ['file', 'split', 'imageWidth', 'imageHeight', 'width', 'height'];

/**
 * The classes of a record in a file with a column a class, which has 1 where an image shows it and else 0, as Roboflow writes for
 * several classes an image. Null where the file has no such columns; of a record, where a cell is neither.
 */
export function readOneHot(
  heading: readonly string[],
  columns: Columns,
  body: readonly (readonly string[])[],
): ((record: readonly string[]) => readonly string[] | null) | null {
  const taken = new Set(others.map((column) => columns[column]));
  const classes = heading.flatMap((name, at) => (taken.has(at) || name === '' ? [] : [{ name, at }]));
  const isFlags = (record: readonly string[]) =>
    classes.every(({ at }) => yes.test(record[at] ?? '') || no.test(record[at] ?? ''));
  if (classes.length < 2 || body.length === 0 || body.filter(isFlags).length * 2 <= body.length) return null;
  return (record) =>
    isFlags(record) ? classes.filter(({ at }) => yes.test(record[at] ?? '')).map(({ name }) => name) : null;
}
