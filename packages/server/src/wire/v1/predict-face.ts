import type { FastifyReply, FastifyRequest } from 'fastify';
import { hideKeys } from '../../core/hide-keys.js';
import { quote } from '../../core/quote.js';
import { ServiceError } from '../../core/service-error.js';
import { noSuchPerception } from '../../faces/perception-rows.js';
import { chooseImage } from '../../intake/request-image.js';
import { countCall } from '../../recognition/call.js';
import type { WireValue } from '../json.js';
import type { RawBodyHandler, RouteDeps } from '../raw-body-handler.js';
import { createPerson, type FaceCall, insertByKeyId, insertByPersonId } from './face-commands.js';
import { toFaceSearch } from './face-search.js';
import { type FaceRequest, readFaceRequest } from './read-face-request.js';
import { identifyV1Caller, type Parameter, withUpload } from './upload-call.js';

/** `/predict/face`: searches a perception for the faces of an image, or carries out a command on it. */
export function answerPredictFace(deps: RouteDeps): RawBodyHandler {
  return async (request, reply, signal) => {
    const caller = await identifyV1Caller(deps, request);
    await deps.ledger.checkCallsLeft(caller);
    // The command itself may stand in the form.
    return withUpload(deps, request, signal, ({ parameter, image }) => {
      const asked = readFaceRequest(withoutKeys(request, parameter));
      const missing = 'no image: send a file part named image, or give its address as url';
      const { accountId } = caller;
      const choose = () => chooseImage({ image, url: parameter('url'), missing, accountId }, deps, signal);
      const call = { caller, signal, chooseImage: choose };
      switch (asked.kind) {
        case 'search':
          return search(deps, asked, call, reply);
        case 'create_person':
          return createPerson(deps, asked, call);
        case 'insert_person_image':
          return insertByPersonId(deps, asked, call);
        case 'insert_person_image_key_id':
          return insertByKeyId(deps, asked, call);
      }
    });
  };
}

/** A model is of the wrong kind; anything else is not the account's. */
async function notSearchable(
  { models }: RouteDeps['customModels'],
  accountId: number,
  modelId: string,
): Promise<ServiceError> {
  const model = await models.find(accountId, modelId);
  if (model === null) return noSuchPerception(modelId);
  return new ServiceError(
    'wrong_parameters',
    `model_id ${quote(modelId)} is a model for ${model.task}; this operation takes a perception`,
  );
}

async function search(
  { faces, customModels, ledger, recordSearch, publicAddress }: RouteDeps,
  { modelId, personId }: Extract<FaceRequest, { kind: 'search' }>,
  { caller, signal, chooseImage }: FaceCall,
  reply: FastifyReply,
): Promise<WireValue> {
  const { accountId } = caller;
  const perception = await faces.perceptions.find(accountId, modelId);
  if (perception === null) throw await notSearchable(customModels, accountId, modelId);
  if (personId !== null) {
    const person = await faces.people.find(accountId, personId);
    if (person?.perceptionId !== perception.id) {
      throw new ServiceError(
        'wrong_parameters',
        `person_id_filter ${personId} is not a person of this perception`,
      );
    }
  }
  const { use } = chooseImage();
  return countCall(ledger, caller, 'v1.face_search', signal, (call) =>
    use(async (source) => {
      const wanted = { source, personId: personId ?? undefined, signal };
      const result = await faces.search.search(accountId, perception, wanted);
      reply.header('x-file-id', await recordSearch(call, perception, result, source));
      const imageUrl = (imageId: number) =>
        `${publicAddress(reply.request)}/face-images/${faces.links.sign(accountId, imageId)}`;
      return toFaceSearch(result, personId ?? -1, perception.wantsLiveness, imageUrl);
    }),
  );
}

/** A result quotes what was asked, where a key may stand in the wrong parameter. */
function withoutKeys({ query, headers }: FastifyRequest, parameter: Parameter): Parameter {
  return (name) => {
    const value = parameter(name);
    return value === undefined ? undefined : hideKeys(value, query, headers);
  };
}
