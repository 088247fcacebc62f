import { type Static, Type } from 'typebox';
import { ServiceError } from '../../core/service-error.js';
import { callerOf } from '../../http/api/caller.js';
import { exactly, Id, Name } from '../../http/api/fields.js';
import type { ApiScope } from '../../http/api/scope.js';
import type { MovedTo } from '../regrouping.js';
import type { FaceDeps } from './deps.js';
import { IdParams, ImageIds } from './fields.js';
import { findPerception } from './find-perception.js';
import { Person, toPerson } from './person.js';

const Move = exactly({
  image_ids: ImageIds,
  person_id: Type.Optional(Id),
  name: Type.Optional(Name),
});

/** Putting right who is who. */
export function addRegroupingRoutes(app: ApiScope, { faces }: FaceDeps): void {
  const { regrouping } = faces;

  app.post('/people/:id/merge', {
    config: { right: 'change', audit: ['people.merge', 'person'] },
    schema: {
      tags: ['people'],
      operationId: 'mergePerson',
      summary: 'Makes one person of two: images, corrections and key_id go over, and this person is gone',
      params: IdParams,
      body: exactly({ into: Id }),
      response: { 200: Person },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      return toPerson(await regrouping.merge(accountId, request.params.id, request.body.into));
    },
  });

  app.post('/perceptions/:id/images/move', {
    config: { right: 'change', audit: ['face_images.move', 'face_image'] },
    schema: {
      tags: ['images'],
      operationId: 'moveImages',
      summary: 'Moves images to another person of the perception, or to a new one by name; all or none',
      params: IdParams,
      body: Move,
      response: { 200: Person },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const perception = await findPerception(faces, accountId, request.params.id);
      const imageIds = [...new Set(request.body.image_ids)];
      return toPerson(await regrouping.move(accountId, perception, imageIds, toMovedTo(request.body)));
    },
  });
}

function toMovedTo({ person_id: personId, name }: Static<typeof Move>): MovedTo {
  if (personId !== undefined && name === undefined) return { personId };
  if (name !== undefined && personId === undefined) return { name };
  throw new ServiceError('wrong_parameters', 'give either person_id or name: to whom the images are moved');
}
