import type { FastifyInstance } from 'fastify';
import { hasBody } from '../intake/read-body.js';
import { createAnswerClientError } from './client-error.js';
import type { ToBody } from './refuse-connection.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long a body of this route may take to arrive, where that is not the time of every request. */
    arrivalTimeoutMs?: number;
  }
}

/**
 * Ends requests whose body does not arrive in time, as Node does by itself, but for each route by its own time: Node has
 * one for all.
 * @param toBody of the refusal
 */
export function limitArrival(app: FastifyInstance, usualTimeoutMs: number, toBody: ToBody): void {
  const answerClientError = createAnswerClientError(toBody);
  app.addHook('onRequest', (request, _reply, done) => {
    done();
    const { raw, routeOptions } = request;
    if (raw.complete || !hasBody(raw)) return;
    // Once it is answered, Node does not tell the request that its connection was cut: the timer must not hold the end up.
    const timer = setTimeout(() => {
      if (raw.complete) return;
      const error = Object.assign(new Error('request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      answerClientError(error, raw.socket);
    }, routeOptions.config?.arrivalTimeoutMs ?? usualTimeoutMs).unref();
    // Not with the answer: a body may be on its way after it, to be thrown away, and has no more time for that.
    raw.once('close', () => clearTimeout(timer));
  });
}
