import { Type } from 'typebox';
import { Id } from '../../http/api/fields.js';

/** Fields that several operations on drops share. A description completes the sentence "NAME must be …". */

export const DropParams = Type.Object({ id: Id });

export const DropFileId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'the id of a file',
});
export const FileParams = Type.Object({ id: Id, file_id: DropFileId });

export const UserName = Type.String({
  minLength: 3,
  maxLength: 32,
  description: 'a text of 3 to 32 characters of a-z, 0-9 and - (not at its ends)',
});
