import type { ObjectDetection, RankedClass, Recognition } from '@lynceus/client';
import { cornersOfBox, cornersOfText, type Finding } from '../kit/image/finding.js';

/** Classes of an object's parts are guesses for the most part; below this they would only puzzle. */
const minDetailScore = 0.2;

/** What general recognition says, one finding a thing. */
export function findGeneral({ objects, texts, faces, predictions }: Recognition): readonly Finding[] {
  return [
    ...objects.predictions.map((object, index) => ({
      id: `object-${index}`,
      kind: 'object' as const,
      label: object.object_title,
      score: object.score,
      corners: cornersOfText(object.coordinates),
      details: object.sub_predictions
        .filter(({ score }) => score >= minDetailScore)
        .map(({ class_title }) => class_title),
    })),
    ...faces.predictions.map((face, index) => ({
      id: `face-${index}`,
      kind: 'face' as const,
      label: face.face_name,
      score: null,
      corners: cornersOfText(face.coordinates),
      details: [],
    })),
    ...texts.predictions.map((line, index) => ({
      id: `text-${index}`,
      kind: 'text' as const,
      label: line.text_value,
      score: line.score,
      corners: line.polygon.map(([x = 0, y = 0]) => [x, y] as const),
      details: [],
    })),
    ...findClasses(predictions),
  ];
}

export function findClasses(
  predictions: readonly Pick<RankedClass, 'class_title' | 'score'>[],
): readonly Finding[] {
  return predictions.map(({ class_title, score }, index) => ({
    id: `class-${index}`,
    kind: 'class',
    label: class_title,
    score,
    corners: null,
    details: [],
  }));
}

export function findDetections(predictions: ObjectDetection['predictions']): readonly Finding[] {
  return predictions.map(({ class_title, score, coordinates }, index) => ({
    id: `object-${index}`,
    kind: 'object',
    label: class_title,
    score,
    corners: cornersOfBox(coordinates.xmin, coordinates.ymin, coordinates.xmax, coordinates.ymax),
    details: [],
  }));
}
