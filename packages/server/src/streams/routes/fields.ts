import { Type } from 'typebox';
import { Id } from '../../http/api/fields.js';

/** Fields that several operations on streams share. A description completes the sentence "NAME must be …". */

export const StreamParams = Type.Object({ id: Id });
