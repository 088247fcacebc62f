import { Type } from 'typebox';
import { Id } from '../fields.js';

/** Fields that several operations on videos share. A description completes the sentence "NAME must be …". */

export const VideoParams = Type.Object({ id: Id });

/** Its characters are counted by the domain, as people do. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 400,
  description: 'a text of 1 to 200 characters, control characters not among them',
});

export const ThumbnailParams = Type.Object({
  id: Id,
  blob: Type.String({
    pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    description: 'the id of a thumbnail',
  }),
});
