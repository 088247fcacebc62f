import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../core/service-error.js';

/**
 * A signal that fires when the client is gone, the request's time is over or the service gives up. Ends with the answer: what
 * listens to it is over by then.
 */
export function createRequestSignal(
  { raw: response }: Pick<FastifyReply, 'raw'>,
  {
    settings,
    shutdownSignal,
  }: {
    readonly settings: { readonly requestTimeoutMs: number };
    readonly shutdownSignal: AbortSignal;
  },
  timeoutMs = settings.requestTimeoutMs,
): AbortSignal {
  const controller = new AbortController();
  // A response that was destroyed before emits no close: the timer must not hold the end up.
  const timer = setTimeout(() => {
    controller.abort(new ServiceError('request_timeout', `the request took longer than ${timeoutMs} ms`));
  }, timeoutMs).unref();
  const onShutdown = () => {
    controller.abort(new ServiceError('service_busy', 'the service is stopping; try again shortly'));
  };
  shutdownSignal.addEventListener('abort', onShutdown);
  response.once('close', () => {
    clearTimeout(timer);
    shutdownSignal.removeEventListener('abort', onShutdown);
    if (!response.writableFinished) {
      controller.abort(new ServiceError('bad_request', 'the client closed the connection'));
    }
  });
  return controller.signal;
}
