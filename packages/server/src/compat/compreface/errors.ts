import { STATUS_CODES } from 'node:http';
import type { ErrorCode } from '../../core/error-catalogue.js';
import { ServiceError } from '../../core/service-error.js';
import type { CompatAnswer } from '../common/compat-route.js';

/** What CompreFace has numbers of its own for; `as` is what the log and the metrics call it here. */
const refusals = {
  unknownKey: { status: 404, code: 10, as: 'invalid_api_key' },
  missingHeader: { status: 400, code: 20, as: 'invalid_api_key' },
  noImage: { status: 400, code: 21, as: 'unsupported_image' },
  badValue: { status: 400, code: 26, as: 'wrong_parameters' },
  noFace: { status: 400, code: 28, as: 'wrong_parameters' },
  severalFaces: { status: 400, code: 31, as: 'wrong_parameters' },
  missingParameter: { status: 400, code: 33, as: 'wrong_parameters' },
  missingPart: { status: 400, code: 34, as: 'no_file' },
  unknownSubject: { status: 404, code: 42, as: 'not_found' },
  subjectExists: { status: 400, code: 43, as: 'conflict' },
  unknownImage: { status: 404, code: 44, as: 'not_found' },
} as const satisfies Record<
  string,
  { readonly status: number; readonly code: number; readonly as: ErrorCode }
>;

type RefusalKind = keyof typeof refusals;

/** A refusal that CompreFace has a number for. */
export class Refusal extends ServiceError {
  constructor(
    readonly kind: RefusalKind,
    message: string,
  ) {
    super(refusals[kind].as, message);
  }
}

/** Errors of the whole service that CompreFace has a number for. */
const kinds: Partial<Record<ErrorCode, RefusalKind>> = {
  invalid_api_key: 'unknownKey',
  no_file: 'missingPart',
  unsupported_image: 'noImage',
  invalid_image_text: 'noImage',
  wrong_parameters: 'badValue',
};

/** An error in the shape of CompreFace; where it has no number, the status says which, and the code is 0. */
export function toComprefaceError(error: ServiceError, kind = kinds[error.code]): CompatAnswer {
  // A wrong method is no path there.
  const { status, code } = kind
    ? refusals[kind]
    : { status: error.code === 'method_not_allowed' ? 404 : error.entry.http, code: 0 };
  return { status, body: { message: error.message || (STATUS_CODES[status] ?? 'error'), code } };
}
