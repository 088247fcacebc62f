import type { Analysis, Box } from '@lynceus/engine';
import { toLines } from '../streams/videos/timeline/to-csv.js';
import { toPrintable } from './printable.js';
import { analysisAsJson, analysisAsTables } from './show-analysis.js';

/** What became of one image. */
export type Prediction =
  | { readonly name: string; readonly analysis: Analysis }
  | { readonly name: string; readonly error: string };

export const predictFormats = ['table', 'jsonl', 'csv'] as const;
export type PredictFormat = (typeof predictFormats)[number];

/** How predictions of many images are written. */
interface PredictWriter {
  /** Before the first one; empty for nothing. */
  readonly head: string;
  /** Lines with their ends. */
  write(prediction: Prediction): string;
}

const columns = ['file', 'kind', 'label', 'score', 'x_min', 'y_min', 'x_max', 'y_max', 'error'];

export const predictWriters: Readonly<Record<PredictFormat, PredictWriter>> = {
  table: {
    head: '',
    write: (prediction) =>
      'error' in prediction
        ? ''
        : `${toPrintable(prediction.name)}\n${analysisAsTables(prediction.analysis)}\n\n`,
  },
  jsonl: {
    head: '',
    write: (prediction) =>
      `${JSON.stringify(
        'error' in prediction
          ? { file: prediction.name, error: prediction.error }
          : { file: prediction.name, ...analysisAsJson(prediction.analysis) },
      )}\n`,
  },
  csv: {
    head: toLines([columns]),
    write: (prediction) => toLines(rowsOf(prediction)),
  },
};

type Cell = string | number;

/** One row for each finding; an image without findings has one row all the same. */
function rowsOf(prediction: Prediction): readonly (readonly Cell[])[] {
  const { name } = prediction;
  if ('error' in prediction) return [[name, '', '', '', '', '', '', '', prediction.error]];
  const { objects = [], classes = [], texts = [], faces = [] } = analysisAsJson(prediction.analysis);
  const rows = [
    ...objects.map(({ label, score, box }) => [name, 'object', label.title, score, ...corners(box), '']),
    ...classes.map(({ label, score }) => [name, 'class', label.title, score, ...noBox, '']),
    ...texts.map(({ text, score, box }) => [name, 'text', text, score, ...corners(box), '']),
    ...faces.map(({ score, box }) => [name, 'face', '', score, ...corners(box), '']),
  ];
  return rows.length > 0 ? rows : [[name, '', '', '', ...noBox, '']];
}

const noBox = ['', '', '', ''];

function corners({ xMin, yMin, xMax, yMax }: Box): number[] {
  return [xMin, yMin, xMax, yMax].map((value) => Math.round(value * 10) / 10);
}
