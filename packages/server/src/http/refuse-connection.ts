import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ServiceError } from '../core/service-error.js';
import { commonHeaders } from './common/common-headers.js';
import { toV1Error } from './v1/errors.js';
import { writeJson } from './wire/json.js';

const lingerMs = 1000;

/** Answers on a connection of which no request is known, in the form of v1, and closes it. */
export function refuseConnection(
  socket: Socket,
  serviceError: ServiceError,
  status: number = serviceError.entry.http,
): void {
  const requestId = randomUUID();
  const body = writeJson(toV1Error(serviceError, requestId));
  const { retryAfterSeconds } = serviceError.entry;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Access-Control-Allow-Origin: *',
    ...Object.entries(commonHeaders).map(([name, value]) => `${name}: ${value}`),
    `X-Request-Id: ${requestId}`,
    ...(retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`]),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // What the client still sends is read away, or the reset would overtake the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
