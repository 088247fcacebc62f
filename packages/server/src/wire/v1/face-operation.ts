import { Type } from 'typebox';
import { maxNameLength } from '../../accounts/names.js';
import { queryParameter, Score } from '../../http/common/operation.js';

const Corners = Type.String({ pattern: '^\\d+,\\d+,\\d+,\\d+$', description: 'X1,X2,Y1,Y2 in pixels' });

const KeyId = Type.Union([Type.String(), Type.Null()]);

const DetectedFace = Type.Object(
  {
    person_name: Type.String(),
    similarity: Score,
    coordinates: Corners,
    image_url: Type.String({ format: 'uri' }),
    person_id: Type.Integer(),
    key_id: KeyId,
  },
  { title: 'MatchedFace' },
);

const Face = Type.Object(
  {
    person_name: Type.String({ description: 'unknown when nobody matches' }),
    similarity: Score,
    face_live: Type.Union([Type.Boolean(), Type.Null()]),
    coordinates: Corners,
    person_id: Type.Integer({ description: '-1 when nobody matches' }),
    key_id: KeyId,
    face_live_status_description: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'SearchedFace' },
);

const SimilarFace = Type.Object(
  { ...DetectedFace.properties, order: Type.Integer({ minimum: 1, description: 'the rank, from 1' }) },
  { title: 'SimilarFace' },
);

/** The answer of a search. */
const FaceSearchAnswer = Type.Object(
  {
    status: Type.Literal('ok'),
    person_id_filter: Type.Integer({ description: 'as asked; -1: no filter' }),
    faces_detected: Type.Array(DetectedFace, { description: 'the faces that match a person' }),
    face_recog_hit: Type.Boolean(),
    face_count: Type.Integer({ minimum: 0 }),
    post_type: Type.Literal('face_search'),
    faces: Type.Array(Face, { description: 'all faces of the image, matched or not' }),
    similar_faces: Type.Array(SimilarFace, {
      maxItems: 10,
      description: 'candidates over all faces, best first, one a person; coordinates are in the stored image',
    }),
  },
  { title: 'FaceSearch', description: 'The faces of the image, and whose they are' },
);

const status = Type.Integer({
  description: 'above 0: the id of the new person or image; else a code from the table of the command',
});

/** The answer of the command `create_person`. */
const CreatedPerson = Type.Object(
  {
    status,
    status_description: Type.String(),
    post_type: Type.Literal('create_person'),
    person_id: Type.Integer({ description: 'the new person, or -1 when there is none' }),
  },
  { title: 'CreatedPerson', description: 'The result of create_person' },
);

/** The answer of the commands that insert an image. */
const InsertedImage = Type.Object(
  { status, status_description: Type.String(), post_type: Type.Literal('insert_person_image') },
  { title: 'InsertedImage', description: 'The result of inserting an image' },
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
      Type.String({ minLength: 1, maxLength: maxNameLength }),
      'of create_person: the name',
    ),
    queryParameter(
      'key_id',
      Type.String({ minLength: 1, maxLength: maxNameLength }),
      'of insert_person_image_key_id: your own id of the person',
    ),
  ],
  answer: Type.Union([FaceSearchAnswer, CreatedPerson, InsertedImage]),
  example: { status: 1001, status_description: 'success', post_type: 'create_person', person_id: 1001 },
};
