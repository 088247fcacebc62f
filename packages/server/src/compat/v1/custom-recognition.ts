import type { PredictionModel } from '../../recognition/choose-model.js';
import type { ClassesResult } from '../../recognition/results.js';
import { Decimal, type WireValue } from '../json.js';

/** The answer of a named classifier. Its two names for the type are both in use: field list and sample disagree. */
export function toCustomRecognition(
  model: PredictionModel,
  { classes }: ClassesResult,
  url: string | undefined,
): WireValue {
  return {
    status: 'ok',
    model_id: String(model.id),
    url,
    predictions: classes.map(({ label, score }, index) => ({
      class_title: label.title,
      order: index + 1,
      score: new Decimal(score),
    })),
    prediction_type: 'image',
    predict_type: 'image',
  };
}
