import { STATUS_CODES } from 'node:http';
import type { Box } from '@lynceus/engine';
import type { ServiceError } from '../../core/service-error.js';
import type { CompatAnswer } from '../common/compat-route.js';

/** Home Assistant looks for `error`, in answers of every status. */
export function toDoodsError({ code, entry, message }: ServiceError): CompatAnswer {
  const text =
    code === 'not_found' || code === 'method_not_allowed' ? 'there is nothing at this path' : message;
  const status = code === 'method_not_allowed' ? 404 : entry.http;
  return { status, body: { error: text || (STATUS_CODES[status] ?? 'error') } };
}

/** From 0 to 1 of the image's sides, as DOODS has them. */
export function toFractions({ xMin, yMin, xMax, yMax }: Box, width: number, height: number) {
  const within = (value: number, side: number) =>
    side > 0 ? Math.min(1, Math.max(0, Math.round((value / side) * 1e6) / 1e6)) : 0;
  return {
    top: within(yMin, height),
    left: within(xMin, width),
    bottom: within(yMax, height),
    right: within(xMax, width),
  };
}
