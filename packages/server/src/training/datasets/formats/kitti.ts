import { boxOfCorners } from './box-corners.js';
import { numberOf, type PlannedLabel } from './plan.js';
import { type FileFormat, sortLabels } from './plan-files.js';

/** Of a line: a name that is no number, then numbers; a score may follow. */
const columns = 15;
const usual = 'type, truncated, occluded, alpha, x1, y1, x2, y2 and seven numbers more';

/** KITTI: a text file an image, in a folder such as `label_2`, with a line an object; `DontCare` are places of objects without labels. */
export const kitti: FileFormat = {
  format: 'kitti',
  files: /\.txt$/i,
  byStem: true,
  missing: `KITTI has text files with lines of ${usual}`,
  isBegun: (start) => start.trim() === '' || linesOf(start).some(isObject),
  parse(text, path) {
    const read = linesOf(text).map((line, at) => toLabel(line, at + 1));
    return [{ name: path.replace(/\.[^./]*$/, ''), ...sortLabels(read) }];
  },
};

function linesOf(text: string): readonly (readonly string[])[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/));
}

function isObject([type = '', ...values]: readonly string[]): boolean {
  const isOfLength = values.length === columns - 1 || values.length === columns;
  return isOfLength && numberOf(type) === undefined && values.every((value) => numberOf(value) !== undefined);
}

function toLabel(line: readonly string[], number: number): PlannedLabel | string {
  if (!isObject(line)) return `line ${number} is not ${usual}`;
  const [className = ''] = line;
  if (className === 'DontCare') return `line ${number} is DontCare: objects without labels`;
  return { className, unit: 'pixels', box: null, ...boxOfCorners(line.slice(4, 8).map(numberOf)) };
}
