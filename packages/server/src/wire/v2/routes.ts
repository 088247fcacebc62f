import type { FastifyInstance } from 'fastify';
import { createRawBodyHandler, type RouteDeps } from '../raw-body-handler.js';
import { answerPredict } from './predict.js';

/** Paths of v2 with the methods they take. */
export const v2Paths: Readonly<Record<string, readonly string[]>> = { '/predict': ['PUT', 'POST'] };

export function addV2Routes(app: FastifyInstance, deps: RouteDeps): void {
  app.route({
    method: ['PUT', 'POST'],
    url: '/predict',
    onRequest: createRawBodyHandler(answerPredict(deps), deps),
    handler: () => undefined,
  });
}
