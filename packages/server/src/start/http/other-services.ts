import type { CompatAnswer } from '../../compat/common/compat-route.js';
import { toComprefaceError } from '../../compat/compreface/errors.js';
import { isComprefacePath } from '../../compat/compreface/paths.js';
import { toDeepstackError } from '../../compat/deepstack/answers.js';
import { toDoodsError } from '../../compat/doods/answers.js';
import type { ServiceError } from '../../core/service-error.js';

type ToError = (error: ServiceError) => CompatAnswer;

const shapes: readonly (readonly [isAt: (path: string) => boolean, toError: ToError])[] = [
  [isComprefacePath, toComprefaceError],
  [(path) => /^\/v1\/vision(\/|$)/.test(path), toDeepstackError],
  [(path) => /^\/(detect(ors)?|image)$/.test(path), toDoodsError],
];

/**
 * How the service answers errors whose interface has this path, by a route or without one; null for a path of ours.
 * @param path without the prefix of the settings
 */
export function errorOfOtherService(path: string): ToError | null {
  return shapes.find(([isAt]) => isAt(path))?.[1] ?? null;
}
