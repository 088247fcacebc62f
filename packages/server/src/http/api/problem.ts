import { STATUS_CODES } from 'node:http';
import { type Static, Type } from 'typebox';
import { errorCatalogue } from '../../core/error-catalogue.js';
import type { ServiceError } from '../../core/service-error.js';

export const problemType = 'application/problem+json; charset=utf-8';

/** Whether a path, without the prefix of the settings, is the API's: its errors are problems, of paths without a route too. */
export function isApiPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

/** The body of every error of the API (RFC 9457). */
export const Problem = Type.Object(
  {
    type: Type.Literal('about:blank'),
    title: Type.String({ description: 'the name of the HTTP status' }),
    status: Type.Integer({ description: 'the HTTP status' }),
    detail: Type.String({ description: 'what to fix, in words that may change' }),
    code: Type.Enum(Object.keys(errorCatalogue), {
      title: 'ServiceErrorCode',
      description: 'which error it is; never changes',
    }),
    request_id: Type.String({ description: 'under which the log of the service knows the request' }),
    current: Type.Optional(
      Type.Object({}, { description: 'of `labels_changed`: the image with the labels that it has now' }),
    ),
  },
  { title: 'Problem', description: 'An error, as RFC 9457 has it. `code` distinguishes errors.' },
);

export function toProblem(error: ServiceError, requestId: string): Static<typeof Problem> {
  const { code, entry, message, current } = error;
  return {
    // `code` says more than an address would; RFC 9457 then wants the status by its name.
    type: 'about:blank',
    title: STATUS_CODES[entry.http] ?? 'Error',
    status: entry.http,
    detail: message,
    code,
    request_id: requestId,
    ...(current && { current }),
  };
}
