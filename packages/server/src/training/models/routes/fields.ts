import { Type } from 'typebox';
import { Id } from '../../../http/api/fields.js';
import { trimmedText } from '../../../http/api/trimmed-text.js';
import { maxDescriptionLength } from '../models.js';

/** Fields that several operations on models share. A description completes the sentence "NAME must be …". */

export const ModelParams = Type.Object({ id: Id });
export const VersionParams = Type.Object({ id: Id, number: Id });

export const Description = trimmedText({
  maxLength: maxDescriptionLength,
  description: `a text of at most ${maxDescriptionLength} characters`,
});

export const Task = Type.Enum(['classification', 'object_detection'], {
  description: 'classification or object_detection',
});

export const IsActivated = Type.Boolean({ default: true, description: 'true or false' });
