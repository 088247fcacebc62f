import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServiceError } from '../../core/service-error.js';
import { addCompatRoute } from '../common/compat-route.js';
import { sendCompatError } from '../common/send-error.js';
import { toFrigateError } from './answers.js';
import type { FrigateDeps } from './call.js';
import { answerConfig, answerStats, answerVersion } from './config.js';
import { answerEvent, answerEvents, answerSubLabel, answerSummary } from './events.js';
import { answerClip, answerLatest, answerSnapshot, answerThumbnail } from './images.js';

/** What clients of Frigate read of it. On listeners alone: on the port of the service these paths are the management API's. */
export function addFrigateRoutes(
  app: FastifyInstance,
  deps: FrigateDeps,
  explain: (error: unknown, request: FastifyRequest) => ServiceError,
): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) =>
      sendCompatError(explain(error, request), reply, toFrigateError),
    );
    addCompatRoute(scope, 'GET', '/api/version', answerVersion(deps), deps);
    addCompatRoute(scope, 'GET', '/api/config', answerConfig(deps), deps);
    addCompatRoute(scope, 'GET', '/api/stats', answerStats(deps), deps);
    addCompatRoute(scope, 'GET', '/api/events', answerEvents(deps), deps);
    addCompatRoute(scope, 'GET', '/api/events/summary', answerSummary(deps), deps);
    addCompatRoute(scope, 'GET', '/api/events/:id', answerEvent(deps), deps);
    addCompatRoute(scope, 'GET', '/api/events/:id/snapshot.jpg', answerSnapshot(deps), deps);
    addCompatRoute(scope, 'GET', '/api/events/:id/thumbnail.jpg', answerThumbnail(deps), deps);
    addCompatRoute(scope, 'GET', '/api/events/:id/clip.mp4', answerClip(deps), deps);
    addCompatRoute(scope, 'POST', '/api/events/:id/sub_label', answerSubLabel(deps), deps);
    addCompatRoute(scope, 'GET', '/api/:camera/latest.jpg', answerLatest(deps), deps);
  });
}
