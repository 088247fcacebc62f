import { Type } from 'typebox';
import { Box, Score } from '../../http/common/operation.js';

const NumericText = Type.String({ pattern: '^[0-9]+$', description: 'a whole number, as text' });
const Corners = Type.String({ pattern: '^\\d+,\\d+,\\d+,\\d+$', description: 'X1,X2,Y1,Y2 in pixels' });
const Point = Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 });
const ImageUrl = Type.Optional(
  Type.String({ description: 'the address of the image, when it was given as one' }),
);
const Mode = Type.Enum(['dense', 'basic'], { title: 'PredictType' });

const RankedClass = Type.Object(
  {
    class_title: Type.String(),
    order: Type.String({ pattern: '^[0-9]+$', description: 'a whole number from 1, as text' }),
    parent_object: Type.Optional(Type.String({ description: 'the object that the class describes' })),
    score: Score,
  },
  { title: 'RankedClass' },
);
const SubPrediction = Type.Object(
  {
    class_title: Type.String(),
    order: Type.Integer({ minimum: 1 }),
    parent_object: Type.String(),
    score: Score,
  },
  { title: 'SubPrediction' },
);
const TextLine = Type.Object(
  {
    text_value: Type.String(),
    coordinates: Corners,
    score: Score,
    polygon: Type.Array(Point, {
      minItems: 4,
      maxItems: 4,
      description: 'four corners, each x and y in pixels, clockwise from the upper left as one reads',
    }),
  },
  { title: 'TextLine' },
);
const Texts = Type.Object(
  {
    status: Type.String(),
    predictions: Type.Array(TextLine),
    summary: Type.Array(Type.Object({ text_value: Type.String(), count: NumericText })),
  },
  { title: 'Texts' },
);
const RecognisedObject = Type.Object(
  {
    sub_predictions: Type.Array(SubPrediction),
    object_title: Type.String(),
    coordinates: Corners,
    score: Score,
  },
  { title: 'RecognisedObject' },
);
const Objects = Type.Object(
  {
    predictions: Type.Array(RecognisedObject),
    summary: Type.Array(Type.Object({ count: NumericText, object_title: Type.String() })),
  },
  { title: 'Objects' },
);
const Faces = Type.Object(
  {
    face_count: Type.Integer({ minimum: 0 }),
    predictions: Type.Array(Type.Object({ face_name: Type.String(), coordinates: Corners })),
  },
  { title: 'Faces' },
);

const GeneralRecognition = Type.Object(
  {
    status: Type.Literal('ok'),
    url: ImageUrl,
    predictions: Type.Array(RankedClass, {
      description: 'classes and titles of objects of the whole image, the most relevant first',
    }),
    texts: Texts,
    objects: Objects,
    faces: Faces,
    predicttype: Mode,
    fileid: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'for GET /api/files/{fileid}' }),
    predict_type: Mode,
  },
  { title: 'Recognition', description: 'What general recognition finds' },
);
export const CustomRecognition = Type.Object(
  {
    status: Type.Literal('ok'),
    model_id: NumericText,
    url: ImageUrl,
    predictions: Type.Array(
      Type.Object({ class_title: Type.String(), order: Type.Integer({ minimum: 1 }), score: Score }),
    ),
    prediction_type: Type.Literal('image'),
    predict_type: Type.Literal('image'),
  },
  { title: 'CustomRecognition', description: 'The classes of one classifier, with model_id' },
);

/** The answer of `/predict/image`. */
export const RecognitionAnswer = Type.Union([GeneralRecognition, CustomRecognition]);

/** The answer of `/predict/object_detection/`. */
export const DetectionAnswer = Type.Object(
  {
    status: Type.Literal('ok'),
    prediction_type: Type.Literal('object_detection'),
    predictions: Type.Array(
      Type.Object({ class_title: Type.String(), model_id: Type.Integer(), score: Score, coordinates: Box }),
    ),
  },
  { title: 'ObjectDetection', description: 'Labelled boxes of one detector' },
);
