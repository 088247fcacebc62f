import type { ServerResponse } from 'node:http';
import { ServiceError } from '../../core/service-error.js';

/** A signal that fires when the client is gone, the request's time is over or the service gives up; `end` stops that. */
export function createRequestSignal(
  response: ServerResponse,
  timeoutMs: number,
  shutdownSignal: AbortSignal,
): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new ServiceError('request_timeout', `the request took longer than ${timeoutMs} ms`));
  }, timeoutMs);
  const onClose = () => {
    if (!response.writableFinished) {
      controller.abort(new ServiceError('bad_request', 'the client closed the connection'));
    }
  };
  const onShutdown = () => {
    controller.abort(new ServiceError('service_busy', 'the service is stopping; try again shortly'));
  };
  response.on('close', onClose);
  shutdownSignal.addEventListener('abort', onShutdown);
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      response.off('close', onClose);
      shutdownSignal.removeEventListener('abort', onShutdown);
    },
  };
}
