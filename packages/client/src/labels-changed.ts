import { LynceusError } from './error.js';
import type { DatasetImage } from './generated/api-types.js';

/** The image as it is now, when an error says that its labels were changed meanwhile; else null. */
export function labelsChangedTo(error: unknown): DatasetImage | null {
  if (!(error instanceof LynceusError) || error.code !== 'labels_changed') return null;
  return error.current as DatasetImage;
}
