import type { FastifyInstance } from 'fastify';
import { createRawBodyHandler, type RawBodyHandler, type RouteDeps } from '../wire/raw-body-handler.js';
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

export function addV1Routes(app: FastifyInstance, deps: RouteDeps): void {
  for (const [url, answer] of Object.entries(answers)) {
    app.route({
      method: ['GET', 'POST'],
      url,
      onRequest: createRawBodyHandler(answer(deps), deps),
      handler: () => undefined,
    });
  }
}
