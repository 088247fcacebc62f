import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServiceError } from '../../core/service-error.js';
import { addCompatRoute } from '../common/compat-route.js';
import { sendCompatError } from '../common/send-error.js';
import { toDoodsError } from './answers.js';
import type { DoodsDeps } from './call.js';
import { answerDetect, answerDrawing } from './detect.js';
import { answerDetectors } from './detectors.js';

/** The interface of DOODS, as Home Assistant asks it. */
export function addDoodsRoutes(
  app: FastifyInstance,
  deps: DoodsDeps,
  explain: (error: unknown, request: FastifyRequest) => ServiceError,
): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) =>
      sendCompatError(explain(error, request), reply, toDoodsError),
    );
    addCompatRoute(scope, 'GET', '/detectors', answerDetectors(deps), deps);
    addCompatRoute(scope, 'POST', '/detect', answerDetect(deps), deps);
    addCompatRoute(scope, 'POST', '/image', answerDrawing(deps), deps);
  });
}
