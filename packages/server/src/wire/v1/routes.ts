import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../core/service-error.js';
import { isUnread, ofUnread } from '../../intake/upload.js';
import { createRawBodyHandler, type RawBodyHandler, type RouteDeps } from '../raw-body-handler.js';
import { answerPredictFace } from './predict-face.js';
import { answerPredictImage } from './predict-image.js';
import { answerPredictObjectDetection } from './predict-object-detection.js';

const answers: Readonly<Record<string, (deps: RouteDeps) => RawBodyHandler>> = {
  '/predict/image': answerPredictImage,
  '/predict/object_detection': answerPredictObjectDetection,
  '/predict/face': answerPredictFace,
};

/** Paths of v1 with the methods they take. */
export const v1Paths: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.keys(answers).map((path) => [path, ['GET', 'POST']]),
);

/** JSON is what most interfaces take: who sends it to this one hears that it is not read. */
function explainJson(answer: RawBodyHandler): RawBodyHandler {
  return async (request, reply, signal) => {
    try {
      return await answer(request, reply, signal);
    } catch (error) {
      if (!(error instanceof ServiceError) || !hints.includes(error.code) || !isUnread(request.raw))
        throw error;
      throw new ServiceError(error.code, `${error.message}; ${ofUnread}`);
    }
  };
}

const hints: readonly string[] = ['no_file', 'wrong_parameters'];

export function addV1Routes(app: FastifyInstance, deps: RouteDeps): void {
  for (const [url, answer] of Object.entries(answers)) {
    app.route({
      method: ['GET', 'POST'],
      url,
      onRequest: createRawBodyHandler(explainJson(answer(deps)), deps),
      handler: () => undefined,
    });
  }
}
