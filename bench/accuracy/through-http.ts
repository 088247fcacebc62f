import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Service } from '../service.js';
import type { AskClassifier } from './classification.js';
import type { AskDetector } from './detection.js';

const Answer = Type.Object({
  predictions: Type.Array(
    Type.Object({
      class_title: Type.String(),
      score: Type.Number(),
      coordinates: Type.Object({
        xmin: Type.Integer(),
        ymin: Type.Integer(),
        xmax: Type.Integer(),
        ymax: Type.Integer(),
      }),
    }),
  ),
});

/** Asks a detector over v2, as clients do. `size` returns an image's size, which v2 does not return. */
export function detectorThroughHttp(
  service: Service,
  modelId: string,
  titles: readonly string[],
  size: (bytes: Buffer) => Promise<{ width: number; height: number }>,
): AskDetector {
  const classes = new Map(titles.map((title, index) => [title, index]));
  return async (bytes, { minScore, nmsIou }) => {
    const { predictions } = await predict(service, bytes, {
      model_id: modelId,
      conf_thresh: minScore,
      nms_thresh: nmsIou,
    });
    return {
      ...(await size(bytes)),
      objects: predictions.map(({ class_title, score, coordinates: { xmin, ymin, xmax, ymax } }) => ({
        classIndex: classes.get(class_title) ?? -1,
        score,
        box: { xMin: xmin, yMin: ymin, xMax: xmax, yMax: ymax },
      })),
    };
  };
}

export function classifierThroughHttp(
  service: Service,
  labels: readonly { readonly id: string; readonly title: string }[],
): AskClassifier {
  const ids = new Map(labels.map(({ id, title }) => [title, id]));
  return async (bytes) => {
    const { predictions } = await predict(service, bytes, { model_id: 'imagenet', conf_thresh: 0 });
    return predictions.map(({ class_title }) => ids.get(class_title) ?? class_title);
  };
}

async function predict(
  service: Service,
  bytes: Buffer,
  options: Readonly<Record<string, unknown>>,
): Promise<Static<typeof Answer>> {
  const answer = await fetch(`${service.url}/predict?api_key=${service.key}`, {
    method: 'PUT',
    body: JSON.stringify({ base64str: bytes.toString('base64'), ...options }),
  });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${await answer.text()}`);
  return Value.Parse(Answer, await answer.json());
}
