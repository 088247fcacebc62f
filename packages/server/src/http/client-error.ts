import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { writeJson } from '../compat/json.js';
import { toV1Error } from '../compat/v1/errors.js';
import { ServiceError } from '../errors/service-error.js';

const lingerMs = 1000;

/** Answers what Node's parser refuses, in JSON like all else; no route is known then, so in the form of v1. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // Bytes on the socket mean an answer is under way: a second one would be read as part of it.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const told = describe(error.code);
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : told.entry.http;
  const body = writeJson(toV1Error(told, requestId));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Access-Control-Allow-Origin: *',
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // What the client still sends is read away, or the reset would overtake the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function describe(code: string | undefined): ServiceError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ServiceError('request_timeout', 'the request took too long to arrive');
  }
  if (code === 'HPE_HEADER_OVERFLOW') return new ServiceError('bad_request', 'the headers are too large');
  return new ServiceError(
    'bad_request',
    'the request is not valid HTTP; a space inside an address must be written as %20',
  );
}
