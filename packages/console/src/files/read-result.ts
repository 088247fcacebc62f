import type { FileAnalysis } from '@lynceus/client';
import { type Corner, cornersOfBox, type Finding, toFinding } from '../kit/image/finding.js';

/** The findings of a stored analysis, to be drawn and listed. Unknown parts are left out: the JSON has all. */
export function findingsOfResult({ result }: Pick<FileAnalysis, 'result'>): readonly Finding[] {
  return [
    ...list(result['objects']).map((object, index) =>
      toFinding('object', index, placed(object, titleOf(object))),
    ),
    ...list(result['faces']).map((face, index) => toFinding('face', index, placed(face, nameOf(face)))),
    ...list(result['texts']).map((line, index) =>
      toFinding('text', index, placed(line, String(line['text'] ?? ''))),
    ),
    ...list(result['classes']).map((found, index) =>
      toFinding('class', index, { label: titleOf(found), score: numberOf(found['score']) }),
    ),
  ];
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const placed = (found: Fields, label: string) => ({
  label,
  score: numberOf(found['score']),
  corners: cornersIn(found),
});

function titleOf({ label }: Fields): string {
  return isFields(label) ? String(label['title'] ?? label['id'] ?? '') : String(label ?? '');
}

function nameOf(face: Fields): string {
  const name = face['name'] ?? (isFields(face['person']) ? face['person']['name'] : undefined);
  return typeof name === 'string' ? name : '';
}

function cornersIn({ box, polygon }: Fields): readonly Corner[] | null {
  const points = list(polygon).map(({ x, y }) => [numberOf(x), numberOf(y)]);
  const corners = points.filter((point): point is [number, number] => point.every((part) => part !== null));
  if (corners.length > 2) return corners;
  if (!isFields(box)) return null;
  const sides = [box['x_min'], box['y_min'], box['x_max'], box['y_max']].map(numberOf);
  const [xmin, ymin, xmax, ymax] = sides;
  if (xmin == null || ymin == null || xmax == null || ymax == null) return null;
  return cornersOfBox(xmin, ymin, xmax, ymax);
}
