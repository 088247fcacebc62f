import { STATUS_CODES } from 'node:http';
import type { Box } from '@lynceus/engine';
import type { ServiceError } from '../../core/service-error.js';
import type { CompatAnswer } from '../common/compat-route.js';

/** Fields of DeepStack, and those that CodeProject.AI has beside them; clients of each read their own. */
export function succeed(
  fields: Readonly<Record<string, unknown>>,
  { startedMs, moduleId }: { readonly startedMs: number; readonly moduleId: string },
): CompatAnswer {
  const tookMs = Math.max(0, Math.round(performance.now() - startedMs));
  return {
    body: {
      success: true,
      ...fields,
      duration: 0,
      code: 200,
      inferenceMs: tookMs,
      processMs: tookMs,
      analysisRoundTripMs: tookMs,
      moduleId,
      timestampUTC: new Date().toUTCString(),
    },
  };
}

/** @param text what programs compare, or show; every error has one */
export function refuse(status: number, text: string): CompatAnswer {
  return { status, body: { success: false, error: text, duration: 0, code: status } };
}

/** An error of ours in words of DeepStack, where it has some. */
export function toDeepstackError(error: ServiceError): CompatAnswer {
  switch (error.code) {
    case 'invalid_api_key':
      return refuse(401, 'Incorrect api key');
    case 'no_file':
    case 'unsupported_image':
    case 'invalid_image_text':
      return refuse(400, 'No valid image file found');
    case 'not_found':
    case 'method_not_allowed':
      return refuse(404, 'there is nothing at this path');
    default:
      return refuse(error.entry.http, error.message || (STATUS_CODES[error.entry.http] ?? 'error'));
  }
}

/** Whole pixels within the image, as its clients expect them. */
export function toBox({ xMin, yMin, xMax, yMax }: Box, width: number, height: number) {
  const within = (value: number, max: number) => Math.min(max, Math.max(0, Math.round(value)));
  return {
    x_min: within(xMin, width),
    y_min: within(yMin, height),
    x_max: within(xMax, width),
    y_max: within(yMax, height),
  };
}
