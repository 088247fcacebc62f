import type { ServiceError } from '../../core/service-error.js';
import type { WireValue } from '../json.js';

/** An error as v1 answers it: the documented message in `status`, and what to fix. */
export function toV1Error({ code, entry, message }: ServiceError, requestId: string): WireValue {
  // To v1 a model that there is not is a wrong parameter like any other; v2 has a number of its own for it.
  const v1Code = code === 'invalid_model' ? 'wrong_parameters' : code;
  return { status: entry.v1, error: { code: v1Code, message, request_id: requestId } };
}
