import type { ServiceError } from '../../core/service-error.js';
import type { WireValue } from '../json.js';

/** An error as v2 answers it: the keys of a success, an integer status, and what to fix. */
export function toV2Error({ code, entry, message }: ServiceError, requestId: string): WireValue {
  return {
    predictions: [],
    model_type: null,
    status: entry.v2,
    status_description: entry.v1,
    error: { code, message, request_id: requestId },
  };
}
