import { ServiceError } from '../core/service-error.js';
import type { Settings } from '../core/settings.js';

/** What general recognition may look for. */
export const recognitionParts = ['classes', 'objects', 'texts', 'faces'] as const;
export type RecognitionPart = (typeof recognitionParts)[number];
export type RecognitionParts = ReadonlySet<RecognitionPart>;

/** Whether the region of each object is classified by itself. */
export type RecognitionMode = 'basic' | 'dense';

/** The parts of a list such as `classes, texts`. Throws `wrong_parameters` for a part that there is not, and for none. */
export function readParts(list: string): RecognitionParts {
  const wanted = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const known = wanted.every((name) => recognitionParts.some((part) => part === name));
  if (!known || wanted.length === 0) {
    throw new ServiceError(
      'wrong_parameters',
      `parts must be a list of ${recognitionParts.join(', ')}, separated by commas`,
    );
  }
  return new Set(recognitionParts.filter((part) => wanted.includes(part)));
}

/** The parts that run when a request does not choose. */
export function defaultParts(settings: Pick<Settings, 'recognitionParts'>): RecognitionParts {
  return readParts(settings.recognitionParts);
}
