import type { ClassScore } from '@lynceus/engine';
import type { GeneralResult } from '../recognition/results.js';
import { boxText, wholePoint } from './coordinates.js';
import { Decimal, type WireFields, type WireValue } from './json.js';

const maxTexts = 15;

/** The answer of general recognition; a part that was not chosen is present and empty. */
export function toGeneralRecognition(result: GeneralResult, url: string | undefined): WireFields {
  const { objects, mode, width, height } = result;
  return {
    status: 'ok',
    url,
    predictions: rankPredictions(result),
    texts: toTexts(result),
    objects: {
      predictions: objects.map(({ label, score, box, classes }) => ({
        sub_predictions: classes.map((found, index) => subPrediction(found, index + 1, label.title)),
        object_title: label.title,
        coordinates: boxText(box, width, height),
        score: new Decimal(score),
      })),
      summary: countObjects(result),
    },
    faces: toFaces(result),
    predicttype: mode,
    fileid: result.fileid,
    predict_type: mode,
  };
}

// `order` is an integer here and a numeric string for the whole image: clients rely on both.
function subPrediction({ label, score }: ClassScore, order: number, parent: string): WireValue {
  return { class_title: label.title, order, parent_object: parent, score: new Decimal(score) };
}

/** Classes and the distinct object titles in one ranking; a title found both ways is one entry with its better score. */
function rankPredictions({ classes, objects, parts }: GeneralResult): readonly WireValue[] {
  if (!parts.has('classes')) return [];
  const byTitle = new Map<string, { score: number; parent: string | undefined }>();
  for (const { label, score } of objects) {
    const known = byTitle.get(label.title);
    if (known === undefined || known.score < score) byTitle.set(label.title, { score, parent: label.title });
  }
  for (const { label, score } of classes) {
    const known = byTitle.get(label.title);
    if (known === undefined || known.score < score) {
      byTitle.set(label.title, { score, parent: known?.parent });
    }
  }
  return [...byTitle]
    .sort(([, a], [, b]) => b.score - a.score)
    .map(([title, { score, parent }], index) => ({
      class_title: title,
      order: String(index + 1),
      parent_object: parent,
      score: new Decimal(score),
    }));
}

function countObjects({ objects }: GeneralResult): readonly WireValue[] {
  const counts = new Map<string, number>();
  for (const { label } of objects) counts.set(label.title, (counts.get(label.title) ?? 0) + 1);
  return [...counts].map(([title, count]) => ({ count: String(count), object_title: title }));
}

/** The part `faces` of general recognition. */
function toFaces({ faces, width, height }: GeneralResult): WireValue {
  return {
    face_count: faces.length,
    predictions: faces.map(({ box, person }) => ({
      face_name: person?.name ?? 'unknown',
      coordinates: boxText(box, width, height),
    })),
  };
}

/** The part `texts` of general recognition: the surest 15, in reading order. */
function toTexts({ texts, width, height }: GeneralResult): WireValue {
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
