import { noImage, toLabel, toRows } from './csv-label.js';
import { numberOf, splitOf } from './plan.js';

const setWord = /^(train|training|validation|test|unassigned)$/i;

/** The image of a record of Google AutoML or Vertex AI, which have no heading. */
export function fileOfAutoMl([first = '', second = '']: readonly string[]): string {
  return first === '' || setWord.test(first) ? second : first;
}

/** `[set,]path,label[,label…]`; keras-retinanet's `path,x1,y1,x2,y2,label` in pixels; or `[set,]path,label` and four corners in shares, of which two opposite ones are enough. */
export function fromAutoMl(record: readonly string[]) {
  const [set = ''] = record;
  const hasSet = set === '' || setWord.test(set);
  const [file = '', ...rest] = hasSet ? record.slice(1) : record;
  const split = splitOf(set);
  if (file === '') return noImage;
  const [name = '', ...corners] = rest;
  if (corners.length >= 6 && corners.every((corner) => corner === '' || numberOf(corner) !== undefined)) {
    if (corners.some((corner) => corner !== '')) {
      const label = toLabel(name, boxAround(corners.slice(0, 8)), 'share');
      return typeof label === 'string'
        ? { file, fault: label }
        : [{ file, split: hasSet ? split : null, label }];
    }
  }
  const isNumber = (cell: string | undefined) => numberOf(cell) !== undefined;
  const [x1 = '', y1 = '', x2 = '', y2 = '', className = ''] = rest;
  if (rest.length === 5 && [x1, y1, x2, y2].every(isNumber) && !isNumber(className)) {
    const label = toLabel(className, [x1, y1, x2, y2], 'pixels');
    return typeof label === 'string' ? { file, fault: label } : [{ file, split: null, label }];
  }
  if (rest.filter(isNumber).length >= 4)
    return {
      file,
      fault: 'has numbers of which nothing says what they are: write a heading above the lines',
    };
  return toRows(file, hasSet ? split : null, rest);
}

/** x and y by turns; those that are empty are left out. */
function boxAround(corners: readonly string[]): readonly string[] {
  const ofAxis = (axis: 0 | 1) =>
    corners.filter((corner, at) => at % 2 === axis && corner !== '').map(Number);
  const [xs, ys] = [ofAxis(0), ofAxis(1)];
  if (xs.length < 2 || ys.length < 2) return corners;
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].map(String);
}
