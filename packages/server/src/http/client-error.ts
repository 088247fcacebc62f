import type { Socket } from 'node:net';
import { ServiceError } from '../core/service-error.js';
import { refuseConnection } from './refuse-connection.js';

/** Answers what Node's parser refuses, in JSON like all else; no route is known then, so in the form of v1. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // Bytes on the socket mean an answer is under way: a second one would be read as part of it.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const serviceError = describe(error.code);
  refuseConnection(
    socket,
    serviceError,
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : serviceError.entry.http,
  );
}

function describe(code: string | undefined): ServiceError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ServiceError('request_timeout', 'the request took too long to arrive');
  }
  if (code === 'HPE_HEADER_OVERFLOW') return new ServiceError('bad_request', 'the headers are too large');
  return new ServiceError(
    'bad_request',
    'the request is not valid HTTP; in an address a space is written %20, and what is beyond ASCII percent-encoded too',
  );
}
