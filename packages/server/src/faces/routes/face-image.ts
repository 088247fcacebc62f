import { type Static, Type } from 'typebox';
import { Id, Time, toTime } from '../../http/api/fields.js';
import type { FaceImage as DomainImage } from '../face-image.js';
import { Box, Quality, toBox, toQuality } from './fields.js';

export const FaceImage = Type.Object(
  {
    id: Id,
    model_id: Type.Integer({ description: 'the perception' }),
    person_id: Id,
    key_id: Type.Union([Type.String(), Type.Null()], {
      description: 'by which it was added; null for one added by person',
    }),
    content: Type.Object({
      kind: Type.String({ examples: ['jpeg'] }),
      width: Type.Integer(),
      height: Type.Integer(),
      bytes: Type.Integer(),
    }),
    box: Box,
    score: Type.Number({ description: 'of the detector, 0 to 1' }),
    quality: Quality,
    created_at: Time,
  },
  { title: 'FaceImage', description: 'An image of a person’s face' },
);

export function toFaceImage(image: DomainImage): Static<typeof FaceImage> {
  const { width, height, box, score, quality } = image.face;
  return {
    id: image.id,
    model_id: image.perceptionId,
    person_id: image.personId,
    key_id: image.keyId,
    content: { kind: image.imageKind, width, height, bytes: image.imageBytes },
    box: toBox(box),
    score,
    quality: toQuality(quality),
    created_at: toTime(image.createdAt),
  };
}
