import { Type } from 'typebox';
import { Id } from '../../../http/api/fields.js';

/** Fields that several operations on videos share. A description completes the sentence "NAME must be …". */

export const VideoParams = Type.Object({ id: Id });

export const ThumbnailParams = Type.Object({
  id: Id,
  blob: Type.String({
    pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    description: 'the id of a thumbnail',
  }),
});
