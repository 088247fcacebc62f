import type { FastifyRequest } from 'fastify';
import { quote } from '../../../errors/quote.js';
import { ServiceError } from '../../../errors/service-error.js';
import type { Answer, DoorDeps } from '../../door.js';
import { hideKeys } from '../../hide-keys.js';
import type { WireValue } from '../../json.js';
import { identifyV1Caller, type Parameter, withUpload } from '../upload-call.js';
import { refuseCommand } from './command-result.js';
import { type FaceRequest, readFaceRequest } from './read-face-request.js';

/**
 * `/predict/face`: searches a perception for the faces of a picture, or carries out a command on it. Nothing makes a
 * perception yet, so every id is one that does not exist, and is answered so.
 */
export function answerPredictFace(deps: DoorDeps): Answer {
  return async (request, _reply, signal) => {
    await identifyV1Caller(deps, request);
    // The command itself may stand in the form.
    return withUpload(deps, request, signal, ({ parameter }) =>
      answerUnknownIds(readFaceRequest(withoutKeys(request, parameter))),
    );
  };
}

/** A result quotes what was asked, where a key may stand in the wrong parameter. */
function withoutKeys({ query, headers }: FastifyRequest, parameter: Parameter): Parameter {
  return (name) => {
    const value = parameter(name);
    return value === undefined ? undefined : hideKeys(value, query, headers);
  };
}

function answerUnknownIds(asked: FaceRequest): WireValue {
  switch (asked.kind) {
    case 'search':
      throw new ServiceError(
        'invalid_model',
        `model_id ${quote(asked.modelId)} is not one of your perceptions`,
      );
    case 'create_person':
      return refuseCommand('create_person', -1, noPerception(asked.modelId));
    case 'insert_person_image':
      return refuseCommand(
        'insert_person_image',
        -2,
        asked.personId === null
          ? 'invalid person id: give the id of the person as person_id_filter'
          : `invalid person id: ${asked.personId} is not one of your people`,
      );
    case 'insert_person_image_key_id':
      return refuseCommand('insert_person_image', -2, noPerception(asked.modelId));
  }
}

function noPerception(modelId: string | null): string {
  return modelId === null
    ? 'invalid model id: give the id of the perception as model_id'
    : `invalid model id: ${quote(modelId)} is not one of your perceptions`;
}
