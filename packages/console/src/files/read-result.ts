import type { FileAnalysis } from '@lynceus/client';
import { type Corner, cornersOfBox, type Finding } from '../kit/image/finding.js';

/** What a kept analysis found, as it can be drawn. Parts that are not known here are left out: the JSON has all. */
export function findingsOfResult({ result }: Pick<FileAnalysis, 'result'>): readonly Finding[] {
  return [
    ...list(result['objects']).map((object, index) => ({
      id: `object-${index}`,
      kind: 'object' as const,
      label: titleOf(object),
      score: numberOf(object['score']),
      corners: cornersIn(object),
      details: [],
    })),
    ...list(result['faces']).map((face, index) => ({
      id: `face-${index}`,
      kind: 'face' as const,
      label: nameOf(face),
      score: numberOf(face['score']),
      corners: cornersIn(face),
      details: [],
    })),
    ...list(result['texts']).map((line, index) => ({
      id: `text-${index}`,
      kind: 'text' as const,
      label: String(line['text'] ?? ''),
      score: numberOf(line['score']),
      corners: cornersIn(line),
      details: [],
    })),
    ...list(result['classes']).map((found, index) => ({
      id: `class-${index}`,
      kind: 'class' as const,
      label: titleOf(found),
      score: numberOf(found['score']),
      corners: null,
      details: [],
    })),
  ];
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

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
