import type { FastifyReply } from 'fastify';
import type { ServiceError } from '../../core/service-error.js';
import type { CompatAnswer } from './compat-route.js';

/** Answers an error in the words of another service, and when to come again where that is known. */
export function sendCompatError(
  error: ServiceError,
  reply: FastifyReply,
  toAnswer: (error: ServiceError) => CompatAnswer,
): FastifyReply {
  const { status = 500, body } = toAnswer(error);
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}
