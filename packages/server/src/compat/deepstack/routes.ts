import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServiceError } from '../../core/service-error.js';
import { addCompatRoute, type CompatDeps, type CompatHandler } from '../common/compat-route.js';
import { sendCompatError } from '../common/send-error.js';
import { succeed, toDeepstackError } from './answers.js';
import { answerCustom, answerCustomList, answerDetection, answerNotActivated } from './detection.js';
import {
  answerFace,
  answerFaceDelete,
  answerFaceList,
  answerMatch,
  answerRecognize,
  answerRegister,
} from './faces.js';

const answers: Readonly<Record<string, (deps: CompatDeps) => CompatHandler>> = {
  '/detection': answerDetection,
  '/custom/list': answerCustomList,
  '/custom/:name': answerCustom,
  '/scene': answerNotActivated('Scene'),
  '/alpr': answerNotActivated('ALPR'),
  '/face': answerFace,
  '/face/recognize': answerRecognize,
  '/face/register': answerRegister,
  '/face/list': answerFaceList,
  '/face/delete': answerFaceDelete,
  '/face/match': answerMatch,
};

/** The interface of DeepStack and CodeProject.AI. */
export function addDeepstackRoutes(
  app: FastifyInstance,
  deps: CompatDeps,
  explain: (error: unknown, request: FastifyRequest) => ServiceError,
): void {
  app.register(
    async (scope) => {
      scope.setErrorHandler((error, request, reply) =>
        sendCompatError(explain(error, request), reply, toDeepstackError),
      );
      for (const [url, answer] of Object.entries(answers)) {
        addCompatRoute(scope, 'POST', `/vision${url}`, answer(deps), deps);
      }
      addCompatRoute(scope, 'POST', '/image/alpr', answerNotActivated('ALPR')(deps), deps);
      addCompatRoute(scope, 'POST', '/image/ocr', answerNotActivated('OCR')(deps), deps);
      const ping: CompatHandler = async () =>
        succeed({}, { startedMs: performance.now(), moduleId: 'Server' });
      for (const url of ['/status/ping', '/server/status/ping']) {
        addCompatRoute(scope, ['GET', 'POST'], url, ping, deps);
      }
      const updates: CompatHandler = async () =>
        succeed(
          { updateAvailable: false, message: '' },
          { startedMs: performance.now(), moduleId: 'Server' },
        );
      for (const url of ['/status/updateavailable', '/server/status/updateavailable']) {
        addCompatRoute(scope, ['GET', 'POST'], url, updates, deps);
      }
    },
    { prefix: '/v1' },
  );
}
