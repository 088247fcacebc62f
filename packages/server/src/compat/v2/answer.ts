import type { Box } from '@lynceus/engine';
import type { PredictionModel } from '../../recognition/choose-model.js';
import type { ClassesResult, ObjectsResult } from '../../recognition/results.js';
import { wholePixels } from '../coordinates.js';
import { Decimal, type WireValue } from '../json.js';

/** The answer of a detector. */
export function toV2Objects(model: PredictionModel, { objects, width, height }: ObjectsResult): WireValue {
  return success(
    model,
    objects.map(({ label, score, box }) => prediction(model, label.title, score, box, width, height)),
  );
}

/** The answer of a classifier: each class, with the whole image as its box. */
export function toV2Classes(model: PredictionModel, { classes, width, height }: ClassesResult): WireValue {
  const whole: Box = { xMin: 0, yMin: 0, xMax: width, yMax: height };
  return success(
    model,
    classes.map(({ label, score }) => prediction(model, label.title, score, whole, width, height)),
  );
}

function success(model: PredictionModel, predictions: readonly WireValue[]): WireValue {
  return { predictions, model_type: model.type, status: 1, status_description: 'Successful prediction' };
}

function prediction(
  model: PredictionModel,
  title: string,
  score: number,
  box: Box,
  width: number,
  height: number,
): WireValue {
  return {
    class_title: title,
    score: new Decimal(score),
    model_id: model.uid,
    model_title: model.title,
    coordinates: wholePixels(box, width, height),
  };
}
