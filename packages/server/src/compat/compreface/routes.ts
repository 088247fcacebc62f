import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServiceError } from '../../core/service-error.js';
import { addCompatRoute, type CompatDeps, type CompatHandler } from '../common/compat-route.js';
import { sendCompatError } from '../common/send-error.js';
import { answerEnrol } from './enrol.js';
import { Refusal, toComprefaceError } from './errors.js';
import { answerDeleteFace, answerDeleteFaces, answerDeleteSome, answerFaces, answerImage } from './images.js';
import { comprefacePrefixes } from './paths.js';
import { answerDetect, answerRecognize, answerVerify, answerVerifyStored } from './predictions.js';
import {
  answerAddSubject,
  answerDeleteSubject,
  answerDeleteSubjects,
  answerRenameSubject,
  answerSubjects,
} from './subjects.js';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const routes: readonly (readonly [Method, string, (deps: CompatDeps) => CompatHandler])[] = [
  ['POST', '/recognition/recognize', answerRecognize],
  ['GET', '/recognition/faces', answerFaces],
  ['POST', '/recognition/faces', answerEnrol],
  ['DELETE', '/recognition/faces', answerDeleteFaces],
  ['POST', '/recognition/faces/delete', answerDeleteSome],
  ['DELETE', '/recognition/faces/:id', answerDeleteFace],
  ['GET', '/recognition/faces/:id/img', answerImage],
  ['POST', '/recognition/faces/:id/verify', answerVerifyStored],
  ['GET', '/recognition/subjects', answerSubjects],
  ['POST', '/recognition/subjects', answerAddSubject],
  ['DELETE', '/recognition/subjects', answerDeleteSubjects],
  ['PUT', '/recognition/subjects/:subject', answerRenameSubject],
  ['DELETE', '/recognition/subjects/:subject', answerDeleteSubject],
  ['POST', '/detection/detect', answerDetect],
  ['POST', '/verification/verify', answerVerify],
  // Its key is never in a log: that has the pattern of the path.
  ['GET', '/static/:key/images/:id', answerImage],
];

/** The interface of CompreFace. Paths without a route are answered in its shape by the errors of the application. */
export function addComprefaceRoutes(
  app: FastifyInstance,
  deps: CompatDeps,
  explain: (error: unknown, request: FastifyRequest) => ServiceError,
): void {
  app.register(
    async (scope) => {
      scope.setErrorHandler((error, request, reply) => {
        const kind = error instanceof Refusal ? error.kind : undefined;
        return sendCompatError(explain(error, request), reply, (each) => toComprefaceError(each, kind));
      });
      for (const [method, url, answer] of routes) addCompatRoute(scope, method, url, answer(deps), deps);
    },
    { prefix: '/api/v1' },
  );
  // Pages use the SDK as well. What pages of other origins may ask of the API is answered apart, for all paths below it.
  for (const prefix of comprefacePrefixes) {
    const config = { cors: { methods: 'GET, POST, PUT, DELETE' } };
    app.options(`${prefix}/*`, { config }, (_request, reply) => reply.callNotFound());
  }
}
