import type { FastifyInstance } from 'fastify';
import { answerWith, type DoorDeps } from '../door.js';
import { answerPredict } from './predict.js';

/** Paths of v2 with the methods they take. */
export const v2Paths: Readonly<Record<string, readonly string[]>> = { '/predict': ['PUT', 'POST'] };

export function addV2Routes(app: FastifyInstance, deps: DoorDeps): void {
  app.route({
    method: ['PUT', 'POST'],
    url: '/predict',
    onRequest: answerWith(answerPredict(deps), deps),
    handler: () => undefined,
  });
}
