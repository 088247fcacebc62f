import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../core/service-error.js';
import { refuseConnection, type ToBody } from './refuse-connection.js';

/** Of a connection: its answers. */
const answers = Symbol('answers');

interface Answers {
  underWay: number;
  /** Bytes of those that were over when there was none under way. */
  bytes: number;
  /** The newest. */
  last: { readonly request: IncomingMessage; readonly response: ServerResponse } | null;
  /** Whether the connection is closed behind the last answer. */
  isLast: boolean;
}

interface NotedSocket extends Socket {
  [answers]?: Answers;
}

/** Follows the answers of a server's connections, for `answerClientError`. */
export function noteAnswers(server: Server): void {
  server.on(
    'request',
    (request: IncomingMessage & { readonly socket: NotedSocket }, response: ServerResponse) => {
      const { socket } = request;
      socket[answers] ??= { underWay: 0, bytes: 0, last: null, isLast: false };
      const noted = socket[answers];
      noted.underWay += 1;
      noted.last = { request, response };
      response.once('close', () => {
        noted.underWay -= 1;
        if (noted.underWay > 0) return;
        noted.bytes = socket.bytesWritten;
        noted.last = null;
        if (noted.isLast) socket.destroySoon();
      });
    },
  );
}

/**
 * Answers what Node's parser refuses, in JSON like all else; no route is known then. Bytes behind a whole request are no request, as
 * some clients end a body without a length: the answer to that request comes first, and is the last.
 */
export function createAnswerClientError(toBody: ToBody) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    const { [answers]: noted }: NotedSocket = socket;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    if (noted?.last?.request.complete) {
      noted.isLast = true;
      const { response } = noted.last;
      if (!response.headersSent) response.shouldKeepAlive = false;
      return;
    }
    // An answer is under way: a second one would be read as part of it.
    if (socket.bytesWritten > (noted?.bytes ?? 0)) {
      socket.destroy();
      return;
    }
    const serviceError = describe(error.code);
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : undefined;
    refuseConnection(socket, serviceError, toBody, status);
  };
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
