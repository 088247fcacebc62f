import { Type } from 'typebox';
import {
  Box,
  ErrorDetail,
  exampleRequestId,
  fileIdHeader,
  jsonContent,
  retryAfterHeader,
  Score,
} from '../../http/common/operation.js';

const Threshold = (text: string, usual: number) =>
  Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], { description: text, default: usual });

const Request = Type.Object({
  base64str: Type.Optional(
    Type.String({ description: 'the image as base64; line breaks and a leading data:…;base64, are fine' }),
  ),
  image_file_url: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'instead of base64str: an http or https address',
    }),
  ),
  model_id: Type.Optional(
    Type.Union([Type.String(), Type.Integer(), Type.Null()], {
      description: 'the UID of a model, or its number; coco-accurate unless given',
    }),
  ),
  conf_thresh: Type.Optional(Threshold('the least score of what is answered', 0.4)),
  nms_thresh: Type.Optional(Threshold('how much two boxes of a label may overlap', 0.45)),
});

const ModelType = Type.Enum(['object_detection', 'classification']);

const PredictAnswer = Type.Object(
  {
    predictions: Type.Array(
      Type.Object({
        class_title: Type.String(),
        score: Score,
        model_id: Type.String(),
        model_title: Type.String(),
        coordinates: Box,
      }),
      { description: 'best first' },
    ),
    model_type: ModelType,
    status: Type.Literal(1),
    status_description: Type.String(),
  },
  { title: 'Detection', description: 'Labelled boxes of one model' },
);

const Failure = Type.Object({
  predictions: Type.Array(Type.Never()),
  model_type: Type.Null(),
  status: Type.Integer({ minimum: -8, maximum: 0, description: 'docs/errors.md says which is which' }),
  status_description: Type.String(),
  error: ErrorDetail,
});

const describe = (operationId: string) => ({
  tags: ['v2'],
  operationId,
  summary: 'Labelled boxes of a chosen model',
  description: 'The body is read as JSON whatever its content type says.',
  requestBody: {
    required: true,
    content: jsonContent(Request, {
      base64str: '/9j/4AAQSkZJRgABAQ…',
      model_id: 'coco-fast',
      conf_thresh: 0.4,
      nms_thresh: 0.45,
    }),
  },
  responses: {
    200: {
      description: 'What was found, best first; nothing found is an empty list',
      headers: fileIdHeader,
      content: jsonContent(PredictAnswer, {
        predictions: [
          {
            class_title: 'dog',
            score: 0.93,
            model_id: 'coco-fast',
            model_title: 'COCO objects, fast',
            coordinates: { xmin: 10, ymin: 21, xmax: 110, ymax: 221 },
          },
        ],
        model_type: 'object_detection',
        status: 1,
        status_description: 'Successful prediction',
      }),
    },
    default: {
      description: 'An error; 200 as well where the setting errorsAsOk is on',
      headers: retryAfterHeader,
      content: jsonContent(Failure, {
        predictions: [],
        model_type: null,
        status: -1,
        status_description: 'Error (Invalid API Key)',
        error: {
          code: 'invalid_api_key',
          message:
            'the API key is unknown, revoked or expired, or one of a drop or of a compat client, which opens nothing here',
          request_id: exampleRequestId,
        },
      }),
    },
  },
});

/** The operations of v2 for the OpenAPI document. */
export const v2Operations = {
  '/predict': { put: describe('predict'), post: describe('predictByPost') },
};
