import type { ServiceError } from '../../errors/service-error.js';
import type { WireValue } from '../json.js';

/** An error as v1 tells it: the documented message in `status`, and what to mend. */
export function toV1Error({ code, entry, message }: ServiceError, requestId: string): WireValue {
  return { status: entry.v1, error: { code, message, request_id: requestId } };
}
