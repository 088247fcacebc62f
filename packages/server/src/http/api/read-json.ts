import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../core/service-error.js';

const maxBodyBytes = 64 * 1024;

/** Bodies of the API are JSON and small; nothing else is read. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
    (request, bytes, done) => {
      // Clients that name a type for every request send it without a body too.
      if (bytes.length === 0) done(null, undefined);
      else if (!isUtf8(Buffer.from(bytes))) done(new ServiceError('bad_request', 'the body is not UTF-8'));
      else parse(request, bytes.toString(), done);
    },
  );
}

/** Fastify's refusals of a body in our words; any other error as it is. */
export function explainBodyRefusal(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError('bad_request', `the body is larger than ${maxBodyBytes} bytes`);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError('bad_request', 'send the body as Content-Type: application/json');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new ServiceError('bad_request', 'the body is not JSON');
    default:
      return error;
  }
}
