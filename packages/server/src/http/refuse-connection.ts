import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ServiceError } from '../core/service-error.js';
import { commonHeaders } from './common/common-headers.js';

const lingerMs = 1000;

/** The answer to an error in the form of a listener: JSON, and the status where it is another than that of the error. */
export type ToBody = (
  error: ServiceError,
  requestId: string,
) => { readonly body: string; readonly status?: number | undefined };

/** Answers on a connection of which no request is known, in the form of its listener, and closes it. */
export function refuseConnection(
  socket: Socket,
  serviceError: ServiceError,
  toBody: ToBody,
  fixedStatus?: number,
): void {
  const requestId = randomUUID();
  const { body, status: ownStatus = serviceError.entry.http } = toBody(serviceError, requestId);
  const status = fixedStatus ?? ownStatus;
  const { retryAfterSeconds } = serviceError.entry;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
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
