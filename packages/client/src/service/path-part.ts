import { LynceusError } from '../error.js';

/** An id as one part of a path. Dots would name another path, and an empty part the list. */
export function toPathPart(name: string, id: unknown): string {
  // By a program without types.
  if (id === undefined || id === null) throw new LynceusError('wrong_parameters', `${name} is missing`);
  const text = String(id);
  if (/^\.{0,2}$/.test(text)) throw new LynceusError('wrong_parameters', `${name} must be an id`);
  return encodeURIComponent(text);
}
