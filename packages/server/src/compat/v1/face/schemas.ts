import { Type } from 'typebox';
import { Score } from '../../operation.js';

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
