import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../core/service-error.js';
import { refuseConnection } from './refuse-connection.js';

/** Of a connection: its answers under way, and the bytes of those that were over when there was none. */
const answers = Symbol('answers');

interface NotedSocket extends Socket {
  [answers]?: { underWay: number; bytes: number };
}

/** Follows the answers of a server's connections, for `answerClientError`. */
export function noteAnswers(server: Server): void {
  server.on(
    'request',
    ({ socket }: IncomingMessage & { readonly socket: NotedSocket }, response: ServerResponse) => {
      socket[answers] ??= { underWay: 0, bytes: 0 };
      const noted = socket[answers];
      noted.underWay += 1;
      response.once('close', () => {
        noted.underWay -= 1;
        if (noted.underWay === 0) noted.bytes = socket.bytesWritten;
      });
    },
  );
}

/** Answers what Node's parser refuses, in JSON like all else; no route is known then, so in the form of v1. */
export function answerClientError(error: NodeJS.ErrnoException, socket: NotedSocket): void {
  // An answer is under way: a second one would be read as part of it.
  const isAnswering = socket.bytesWritten > (socket[answers]?.bytes ?? 0);
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
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
