import { ServiceError } from '../../core/service-error.js';

/** Of a deletion: what another request deleted meanwhile is gone, as wanted. */
export function ignoreGone(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'not_found') return null;
  throw error;
}
