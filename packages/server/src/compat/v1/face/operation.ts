import { Type } from 'typebox';
import { queryParameter } from '../../operation.js';
import { CommandAnswer, FaceSearchAnswer } from './schemas.js';

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
