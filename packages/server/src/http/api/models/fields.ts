import { Type } from 'typebox';
import { Id } from '../fields.js';

/** Fields that several operations on models share. A description completes the sentence "NAME must be …". */

export const ModelParams = Type.Object({ id: Id });
export const VersionParams = Type.Object({ id: Id, number: Id });

/** Their characters are counted by the domain, as people do. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 400,
  description: 'a text of 1 to 200 characters, control characters not among them',
});
export const Description = Type.String({
  maxLength: 4000,
  description: 'a text of at most 2000 characters',
});

export const Task = Type.Enum(['classification', 'object_detection'], {
  description: 'classification or object_detection',
});

export const IsActivated = Type.Boolean({ default: true, description: 'true or false' });
