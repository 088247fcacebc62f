import { Type } from 'typebox';
import { Box, Score } from '../wire/operation.js';

const NumericText = Type.String({ pattern: '^[0-9]+$' });
const Corners = Type.String({ pattern: '^\\d+,\\d+,\\d+,\\d+$', description: 'X1,X2,Y1,Y2' });
const Point = Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 });
const Mode = Type.Enum(['dense', 'basic']);

const RankedClass = Type.Object({
  class_title: Type.String(),
  order: NumericText,
  parent_object: Type.Optional(Type.String()),
  score: Score,
});
const SubPrediction = Type.Object({
  class_title: Type.String(),
  order: Type.Integer({ minimum: 1 }),
  parent_object: Type.String(),
  score: Score,
});
const Texts = Type.Object({
  status: Type.String(),
  predictions: Type.Array(
    Type.Object({
      text_value: Type.String(),
      coordinates: Corners,
      score: Score,
      polygon: Type.Array(Point, { minItems: 4, maxItems: 4 }),
    }),
  ),
  summary: Type.Array(Type.Object({ text_value: Type.String(), count: NumericText })),
});
const Objects = Type.Object({
  predictions: Type.Array(
    Type.Object({
      sub_predictions: Type.Array(SubPrediction),
      object_title: Type.String(),
      coordinates: Corners,
      score: Score,
    }),
  ),
  summary: Type.Array(Type.Object({ count: NumericText, object_title: Type.String() })),
});
const Faces = Type.Object({
  face_count: Type.Integer({ minimum: 0 }),
  predictions: Type.Array(Type.Object({ face_name: Type.String(), coordinates: Corners })),
});

export const GeneralRecognition = Type.Object(
  {
    status: Type.Literal('ok'),
    url: Type.Optional(Type.String()),
    predictions: Type.Array(RankedClass),
    texts: Texts,
    objects: Objects,
    faces: Faces,
    predicttype: Mode,
    fileid: Type.String({ pattern: '^[0-9a-f]{32}$' }),
    predict_type: Mode,
  },
  { title: 'General recognition' },
);
export const CustomRecognition = Type.Object(
  {
    status: Type.Literal('ok'),
    model_id: NumericText,
    url: Type.Optional(Type.String()),
    predictions: Type.Array(
      Type.Object({ class_title: Type.String(), order: Type.Integer({ minimum: 1 }), score: Score }),
    ),
    prediction_type: Type.Literal('image'),
    predict_type: Type.Literal('image'),
  },
  { title: 'Custom recognition, with model_id' },
);

/** The answer of `/predict/image`. */
export const RecognitionAnswer = Type.Union([GeneralRecognition, CustomRecognition]);

/** The answer of `/predict/object_detection/`. */
export const DetectionAnswer = Type.Object({
  status: Type.Literal('ok'),
  prediction_type: Type.Literal('object_detection'),
  predictions: Type.Array(
    Type.Object({ class_title: Type.String(), model_id: Type.Integer(), score: Score, coordinates: Box }),
  ),
});
