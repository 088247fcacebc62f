import type { ClientRequest, Agent as HttpAgent } from 'node:http';

/**
 * Ends requests of an agent, for a library that makes them, which would wait for ever otherwise: when the server switches to another
 * protocol, which closes a request without an error where nobody listens for it, or when within `timeoutMs` it has neither taken a
 * piece of the request nor ended the headers of its answer, of which each byte restarts a time limit of the socket.
 */
export function boundAnswers<Agent extends HttpAgent>(agent: Agent, timeoutMs: number): Agent {
  // Every object with this method is an agent for Node, though its types do not have it.
  const addRequest: unknown = Reflect.get(agent, 'addRequest');
  if (typeof addRequest !== 'function') throw new Error('this version of Node has other agents');
  return Object.assign(agent, {
    addRequest(request: ClientRequest, ...options: readonly unknown[]): void {
      endUnanswered(request, timeoutMs);
      Reflect.apply(addRequest, agent, [request, ...options]);
    },
  });
}

function endUnanswered(request: ClientRequest, timeoutMs: number): void {
  let writtenBefore: number | undefined;
  const timer = setInterval(() => {
    // Without a socket it waits for a free one.
    const written = request.socket?.bytesWritten;
    if (written === undefined || written !== writtenBefore) writtenBefore = written;
    else request.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
  }, timeoutMs);
  const end = () => clearInterval(timer);
  request.once('response', end).once('close', end);
  request.once('upgrade', (_answer, socket) => {
    end();
    socket.destroy();
    request.emit('error', new Error('the server switches to another protocol (HTTP status 101)'));
  });
}
