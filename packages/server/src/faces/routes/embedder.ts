import { Type } from 'typebox';
import { callerOf } from '../../http/api/caller.js';
import { exactly } from '../../http/api/fields.js';
import type { ApiScope } from '../../http/api/scope.js';
import type { Perception } from '../perception.js';
import type { FaceDeps } from './deps.js';
import { Chain, EmbedderState, toEmbedderState } from './embedder-state.js';
import { IdParams } from './fields.js';
import { findPerception, rethrowNoPerception } from './find-perception.js';
import { Receipt, toReceipt } from './receipt.js';

const tags = ['perceptions'];

/** By which model the images of a perception are described, and changing it while people search. */
export function addEmbedderRoutes(app: ApiScope, { faces, reEmbedding }: FaceDeps): void {
  const { change } = reEmbedding;

  const readState = async (accountId: number, { id }: Perception) =>
    toEmbedderState(await change.read(accountId, { id }).catch(rethrowNoPerception(id)));

  app.get('/perceptions/:id/embedder', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readEmbedder',
      summary: 'By which model the images are described, and how a change of it gets on',
      params: IdParams,
      response: { 200: EmbedderState },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      return readState(accountId, await findPerception(faces, accountId, request.params.id));
    },
  });

  app.put('/perceptions/:id/embedder', {
    config: { right: 'change', audit: ['perceptions.change_embedder', 'perception'] },
    schema: {
      tags,
      operationId: 'changeEmbedder',
      summary:
        'Describes all images by the models of another chain in the background, then searches by those',
      params: IdParams,
      body: exactly({
        chain: Chain,
        leave_out: Type.Optional(Type.Boolean({ description: 'true or false' })),
      }),
      response: { 200: EmbedderState, 202: EmbedderState },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const perception = await findPerception(faces, accountId, request.params.id);
      const { chain, leave_out: leaveOut = false } = request.body;
      const isBegun = await change.begin(accountId, perception, { chain, leaveOut });
      return reply.code(isBegun ? 202 : 200).send(await readState(accountId, perception));
    },
  });

  app.delete('/perceptions/:id/embedder/change', {
    config: { right: 'change', audit: ['perceptions.cancel_embedder', 'perception'] },
    schema: {
      tags,
      operationId: 'cancelEmbedderChange',
      summary: 'Ends a change that is under way, held or failed; what was described is kept',
      params: IdParams,
      response: { 200: EmbedderState },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const perception = await findPerception(faces, accountId, request.params.id);
      await change.cancel(accountId, perception);
      return readState(accountId, perception);
    },
  });

  app.delete('/perceptions/:id/embedder/kept', {
    config: { right: 'change', audit: ['perceptions.forget_embedders', 'perception'] },
    schema: {
      tags,
      operationId: 'forgetKeptEmbedders',
      summary: 'Deletes the vectors of embedders that are not in use',
      params: IdParams,
      response: { 200: Receipt },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const perception = await findPerception(faces, accountId, request.params.id);
      return toReceipt(await change.forgetKept(accountId, perception));
    },
  });
}
