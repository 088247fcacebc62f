import type { GeneralResult } from '../../recognition/results.js';
import { boxText, wholePoint } from '../coordinates.js';
import { Decimal, type WireValue } from '../json.js';

const maxTexts = 15;

/** The part `texts` of general recognition: the surest 15, in reading order. */
export function toTexts({ texts, width, height }: GeneralResult): WireValue {
  const surest = new Set([...texts].sort((a, b) => b.score - a.score).slice(0, maxTexts));
  const shown = texts.filter((line) => surest.has(line));
  const counts = new Map<string, number>();
  for (const { text } of shown) counts.set(text, (counts.get(text) ?? 0) + 1);
  return {
    status: `ok, results limited to ${maxTexts}`,
    predictions: shown.map(({ text, score, polygon, box }) => ({
      text_value: text,
      coordinates: boxText(box, width, height),
      score: new Decimal(score),
      polygon: polygon.map((point) => wholePoint(point, width, height)),
    })),
    summary: [...counts].map(([text, count]) => ({ text_value: text, count: String(count) })),
  };
}
