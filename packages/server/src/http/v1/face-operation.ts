import { Type } from 'typebox';
import { queryParameter, Score } from '../wire/operation.js';

const Corners = Type.String({ pattern: '^\\d+,\\d+,\\d+,\\d+$', description: 'X1,X2,Y1,Y2' });

const KeyId = Type.Union([Type.String(), Type.Null()]);

const DetectedFace = Type.Object({
  person_name: Type.String(),
  similarity: Score,
  coordinates: Corners,
  image_url: Type.String({ format: 'uri' }),
  person_id: Type.Integer(),
  key_id: KeyId,
});

const Face = Type.Object({
  person_name: Type.String(),
  similarity: Score,
  face_live: Type.Union([Type.Boolean(), Type.Null()]),
  coordinates: Corners,
  person_id: Type.Integer(),
  key_id: KeyId,
  face_live_status_description: Type.Union([Type.String(), Type.Null()]),
});

const SimilarFace = Type.Object({ ...DetectedFace.properties, order: Type.Integer({ minimum: 1 }) });

/** The answer of a search. */
export const FaceSearchAnswer = Type.Object(
  {
    status: Type.Literal('ok'),
    person_id_filter: Type.Integer({ description: 'as asked; -1: no filter' }),
    faces_detected: Type.Array(DetectedFace),
    face_recog_hit: Type.Boolean(),
    face_count: Type.Integer({ minimum: 0 }),
    post_type: Type.Literal('face_search'),
    faces: Type.Array(Face),
    similar_faces: Type.Array(SimilarFace, { maxItems: 10 }),
  },
  { title: 'Face search' },
);

/** The answer of a command. */
export const CommandAnswer = Type.Object(
  {
    status: Type.Integer({
      description: 'above 0: the id of the new person or image; else a code from the table of the command',
    }),
    status_description: Type.String(),
    post_type: Type.Enum(['create_person', 'insert_person_image']),
    person_id: Type.Optional(
      Type.Integer({ description: 'of create_person: the new person, or -1 when there is none' }),
    ),
  },
  { title: 'Command, with `command`' },
);

/** `/predict/face` for the OpenAPI document. */
export const faceOperation = {
  name: 'predictFace',
  summary: 'Searches a perception for the faces of an image; with command, adds people and face images',
  parameters: [
    queryParameter(
      'command',
      Type.Enum(['create_person', 'insert_person_image', 'insert_person_image_key_id']),
      'what to do; without it, the faces of the image are searched for',
    ),
    queryParameter(
      'model_id',
      Type.String({ examples: ['1001'] }),
      'the perception; of all but insert_person_image',
    ),
    queryParameter(
      'person_id_filter',
      Type.Integer({ default: -1 }),
      'of a search: this person alone, -1 for all; of insert_person_image: the person',
    ),
    queryParameter(
      'person_name',
      Type.String({ minLength: 1, maxLength: 200 }),
      'of create_person: the name',
    ),
    queryParameter(
      'key_id',
      Type.String({ minLength: 1, maxLength: 200 }),
      'of insert_person_image_key_id: your own id of the person',
    ),
  ],
  answer: Type.Union([FaceSearchAnswer, CommandAnswer]),
  example: { status: 1001, status_description: 'success', post_type: 'create_person', person_id: 1001 },
};
