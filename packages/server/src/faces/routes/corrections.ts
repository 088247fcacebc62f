import { Type } from 'typebox';
import { toAnswer } from '../../http/api/answer.js';
import { callerOf } from '../../http/api/caller.js';
import { exactly, Id, Time } from '../../http/api/fields.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../../http/api/paging.js';
import type { ApiScope } from '../../http/api/scope.js';
import { ImageBody, ImageUrl, withImage } from '../../http/api/upload.js';
import type { Correction as DomainCorrection } from '../corrections.js';
import type { FaceDeps } from './deps.js';
import { IdParams } from './fields.js';

export const Correction = Type.Object(
  { id: Id, person_id: Id, created_at: Time },
  {
    title: 'Correction',
    description: '"This is not X": a face for which a search proposes the person no more',
  },
);
const Corrected = Type.Object(
  {
    outcome: Type.Enum(['added', 'no-face']),
    correction: Type.Union([Correction, Type.Null()], { description: 'what is remembered' }),
  },
  { title: 'CorrectedPerson', description: 'What became of it; 201 when it is remembered' },
);
const CorrectionList = PageOf(Correction, 'A page of corrections');
const tags = ['people'];

/** "This is not X": faces for which a search proposes the person no more. */
export function addCorrectionRoutes(app: ApiScope, { faces }: FaceDeps): void {
  const { people, corrections } = faces;

  app.get('/people/:id/corrections', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listCorrections',
      summary: 'Corrections of a person, the newest first',
      params: IdParams,
      querystring: exactly(paging),
      response: { 200: CorrectionList },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id } = await people.read(accountId, request.params.id);
      const page = await corrections.list(accountId, id, pageRequest(Id, request.query));
      return toPageAnswer(page, toCorrection);
    },
  });

  app.delete('/people/:id/corrections/:correction_id', {
    config: { right: 'change', audit: ['corrections.delete', 'correction'] },
    schema: {
      tags,
      operationId: 'deleteCorrection',
      summary: 'Forgets a correction',
      params: Type.Object({ id: Id, correction_id: Id }),
      response: { 204: Type.Null({ description: 'It is forgotten' }) },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id: personId } = await people.read(accountId, request.params.id);
      await corrections.remove(accountId, personId, request.params.correction_id);
    },
  });
}

/** In a scope of uploads. */
export function addDisputeRoutes(app: ApiScope, deps: FaceDeps): void {
  const { people, perceptions, disputes } = deps.faces;

  app.post('/people/:id/corrections', {
    config: { right: 'change', audit: ['corrections.create', 'correction'] },
    schema: {
      tags,
      operationId: 'correctPerson',
      summary: 'This is not X: of the largest face of an image, or of an image of another person',
      params: IdParams,
      querystring: exactly({ image_id: Type.Optional(Id), url: ImageUrl }),
      body: ImageBody,
      response: { 200: Corrected, 201: Corrected },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const { image_id: imageId, url } = request.query;
      const person = await people.read(accountId, request.params.id);
      const perception = await perceptions.read(accountId, person.perceptionId);
      const correction =
        imageId === undefined
          ? await withImage(deps, { request, reply, url }, (source, signal) =>
              disputes.byFace(accountId, perception, person, { source, signal }),
            )
          : await disputes.byImage(accountId, perception, person, imageId);
      return correction === null
        ? reply.code(200).send({ outcome: 'no-face', correction })
        : reply.code(201).send({ outcome: 'added', correction: toCorrection(correction) });
    },
  });
}

const toCorrection = (correction: DomainCorrection) => toAnswer(Correction, correction);
