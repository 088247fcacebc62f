import { textLanguages } from '@lynceus/engine';
import { type TSchema, Type } from 'typebox';
import {
  ErrorDetail,
  exampleRequestId,
  fileIdHeader,
  jsonContent,
  queryParameter,
  retryAfterHeader,
} from '../../http/common/operation.js';
import { recognitionParts } from '../../recognition/parts.js';
import { faceOperation } from './face-operation.js';
import { examples } from './operation-examples.js';
import { DetectionAnswer, RecognitionAnswer } from './operation-schemas.js';

const Failure = Type.Object({ status: Type.String({ pattern: '^Error \\(.+\\)$' }), error: ErrorDetail });

const url = queryParameter(
  'url',
  Type.String({ examples: ['https://images.example/dog.jpg'] }),
  'the http or https address of the image; an image in the body goes before it',
);
const modelId = (example: string, usual: string) =>
  queryParameter('model_id', Type.String({ examples: [example] }), usual);

const upload = {
  required: false,
  content: {
    'multipart/form-data': {
      schema: Type.Object({
        image: Type.Optional(
          Type.String({ format: 'binary', description: 'the image; or, as text, a data URL or base64' }),
        ),
      }),
    },
    'application/octet-stream': { schema: Type.String({ format: 'binary' }) },
  },
};

interface Described {
  readonly name: string;
  readonly summary: string;
  readonly parameters: readonly ReturnType<typeof queryParameter>[];
  readonly answer: TSchema;
  readonly example: unknown;
}

/** GET and POST alike; only POST is described with a body. */
function describe({ name, summary, parameters, answer, example }: Described) {
  const operation = {
    tags: ['v1'],
    summary,
    parameters: [url, ...parameters],
    responses: {
      200: { description: 'What was found', headers: fileIdHeader, content: jsonContent(answer, example) },
      default: {
        description: 'An error; 200 as well where the setting errorsAsOk is on',
        headers: retryAfterHeader,
        content: jsonContent(Failure, {
          status: 'Error (No File)',
          error: {
            code: 'no_file',
            message: 'no image: send a file part named image, or give its address as url',
            request_id: exampleRequestId,
          },
        }),
      },
    },
  };
  return {
    get: { ...operation, operationId: `${name}ByAddress` },
    post: { ...operation, operationId: name, requestBody: upload },
  };
}

const threshold = (name: string, usual: number, text: string) =>
  queryParameter(name, Type.Number({ minimum: 0, maximum: 1, default: usual }), text);

/** The operations of v1 for the OpenAPI document. */
export const v1Operations = {
  '/predict/image': describe({
    name: 'predictImage',
    summary: 'Ranked classes, objects with counts, texts and faces; classes alone with model_id',
    parameters: [
      modelId('201', 'a classifier: its classes are answered and nothing else'),
      queryParameter(
        'predicttype',
        Type.Enum(['dense', 'basic'], { default: 'dense' }),
        'dense: the parts of the ten largest objects are classified one by one',
      ),
      queryParameter(
        'parts',
        Type.String({ examples: ['classes,objects'] }),
        `a list of ${recognitionParts.join(', ')}, separated by commas: what is looked for`,
      ),
      queryParameter(
        'text_languages',
        Type.String({ examples: ['de,fr'] }),
        `a list of ${textLanguages.join(', ')}, separated by commas: only letters of these languages are read`,
      ),
    ],
    answer: RecognitionAnswer,
    example: examples.recognition,
  }),
  '/predict/object_detection/': describe({
    name: 'predictObjectDetection',
    summary: 'Labelled boxes of a chosen detector',
    parameters: [
      modelId('101', 'a detector; coco-accurate unless given'),
      threshold('conf_thresh', 0.4, 'the least score of what is answered'),
      threshold('nms_thresh', 0.45, 'how much two boxes of a label may overlap'),
      queryParameter(
        'detail',
        Type.Enum(['normal', 'high'], { default: 'normal' }),
        'high: images of 960 pixels and more are looked at in up to 24 slices as well, which finds small objects and takes longer',
      ),
    ],
    answer: DetectionAnswer,
    example: examples.detection,
  }),
  '/predict/face': describe(faceOperation),
};
