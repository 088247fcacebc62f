import type { ObjectDetection, RankedClass, Recognition } from '@lynceus/client';
import { cornersOfBox, cornersOfText, type Finding, toFinding } from '../kit/image/finding.js';

/** Classes of the parts of an object are mostly guesses; below this score they would only confuse. */
const minDetailScore = 0.2;

/** The findings of general recognition. */
export function findGeneral({ objects, texts, faces, predictions }: Recognition): readonly Finding[] {
  return [
    ...objects.predictions.map((object, index) =>
      toFinding('object', index, {
        label: object.object_title,
        score: object.score,
        corners: cornersOfText(object.coordinates),
        details: object.sub_predictions
          .filter(({ score }) => score >= minDetailScore)
          .map(({ class_title }) => class_title),
      }),
    ),
    ...faces.predictions.map((face, index) =>
      toFinding('face', index, {
        label: face.face_name,
        score: null,
        corners: cornersOfText(face.coordinates),
      }),
    ),
    ...texts.predictions.map((line, index) =>
      toFinding('text', index, {
        label: line.text_value,
        score: line.score,
        corners: line.polygon.map(([x = 0, y = 0]) => [x, y] as const),
      }),
    ),
    ...findClasses(predictions),
  ];
}

export function findClasses(
  predictions: readonly Pick<RankedClass, 'class_title' | 'score'>[],
): readonly Finding[] {
  return predictions.map(({ class_title, score }, index) =>
    toFinding('class', index, { label: class_title, score }),
  );
}

export function findDetections(predictions: ObjectDetection['predictions']): readonly Finding[] {
  return predictions.map(({ class_title, score, coordinates: { xmin, ymin, xmax, ymax } }, index) =>
    toFinding('object', index, {
      label: class_title,
      score,
      corners: cornersOfBox(xmin, ymin, xmax, ymax),
    }),
  );
}
