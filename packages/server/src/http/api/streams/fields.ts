import { Type } from 'typebox';
import { Id } from '../fields.js';

/** Fields that several operations on streams share. A description completes the sentence "NAME must be …". */

export const StreamParams = Type.Object({ id: Id });

/** Its characters are counted by the domain, as people do. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 400,
  description: 'a text of 1 to 200 characters, control characters not among them',
});
