import { type TSchema, Type } from 'typebox';
import { errorCatalogue } from '../../core/error-catalogue.js';

/**
 * What the operations of both generations have in common in the OpenAPI document. They are described by hand, since the
 * adapters read their requests themselves; a test holds the description to the routes and to real answers.
 */

export const ErrorDetail = Type.Object({
  code: Type.Enum(Object.keys(errorCatalogue), {
    title: 'ServiceErrorCode',
    description: 'which error it is; never changes',
  }),
  message: Type.String({ description: 'what to fix, in words that may change' }),
  request_id: Type.String(),
});

export const Box = Type.Object(
  { xmin: Type.Integer(), ymin: Type.Integer(), xmax: Type.Integer(), ymax: Type.Integer() },
  { title: 'Box', description: 'in pixels of the image as it is meant to be seen' },
);

export const Score = Type.Number({ minimum: 0, maximum: 1, description: '0 to 1' });

export const exampleRequestId = '6f1c1f3e-7a52-4a6b-9d5e-0c1b1f0d7a11';

export function jsonContent(schema: TSchema, example: unknown) {
  return { 'application/json': { schema, example } };
}

export function queryParameter(name: string, schema: TSchema, description: string, required = false) {
  return { name, in: 'query' as const, required, description, schema };
}

export const retryAfterHeader = {
  'Retry-After': {
    description: 'when trying again can help: after so many seconds',
    schema: Type.Integer({ minimum: 1 }),
  },
};

export const fileIdHeader = {
  'X-File-Id': {
    description: 'the id of the analysis, for GET /api/files/{fileid}',
    schema: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  },
};
