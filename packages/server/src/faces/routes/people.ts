import { Type } from 'typebox';
import { callerOf } from '../../http/api/caller.js';
import { exactly, Id, Name } from '../../http/api/fields.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../../http/api/paging.js';
import type { ApiScope } from '../../http/api/scope.js';
import type { FaceDeps } from './deps.js';
import { IdParams, KeyId } from './fields.js';
import { findPerception } from './find-perception.js';
import { Person, toPerson } from './person.js';
import { Receipt, toReceipt } from './receipt.js';

const PersonList = PageOf(Person, 'A page of people');
const Search = Type.String({
  minLength: 1,
  maxLength: 200,
  // A NUL ends a text in one of the databases.
  pattern: '^[^\\u0000-\\u001f]*$',
  description: 'a part of a name or key_id, 1 to 200 characters, large or small',
});
const tags = ['people'];

/** The people of a perception. */
export function addPeopleRoutes(app: ApiScope, { faces }: FaceDeps): void {
  const { people, deletion } = faces;

  app.get('/perceptions/:id/people', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listPeople',
      summary: 'People of a perception, the newest first; by a part of their name or key_id',
      params: IdParams,
      querystring: exactly({ ...paging, search: Type.Optional(Search) }),
      response: { 200: PersonList },
    },
    async handler(request) {
      const { search } = request.query;
      const { accountId } = callerOf(request);
      const { id } = await findPerception(faces, accountId, request.params.id);
      const page = await people.list(accountId, id, { search }, pageRequest(Id, request.query));
      return toPageAnswer(page, toPerson);
    },
  });

  app.post('/perceptions/:id/people', {
    config: { right: 'change', audit: ['people.create', 'person'] },
    schema: {
      tags,
      operationId: 'createPerson',
      summary: 'Adds a person, without an image yet',
      params: IdParams,
      body: exactly({ name: Name, key_id: Type.Optional(KeyId) }),
      response: { 201: Person },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id } = await findPerception(faces, accountId, request.params.id);
      const { name, key_id: keyId = null } = request.body;
      const made = await people.create(accountId, id, { name, keyId });
      return toPerson({ ...made, images: 0, newestImageId: null });
    },
  });

  app.get('/people/:id', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readPerson',
      summary: 'One person',
      params: IdParams,
      response: { 200: Person },
    },
    handler: async (request) => toPerson(await people.read(callerOf(request).accountId, request.params.id)),
  });

  app.patch('/people/:id', {
    config: { right: 'change', audit: ['people.change', 'person'] },
    schema: {
      tags,
      operationId: 'changePerson',
      summary: 'Renames a person, or changes their key_id',
      params: IdParams,
      body: exactly({ name: Type.Optional(Name), key_id: Type.Optional(KeyId) }),
      response: { 200: Person },
    },
    async handler(request) {
      const { name, key_id: keyId } = request.body;
      const { accountId } = callerOf(request);
      return toPerson(await people.change(accountId, request.params.id, { name, keyId }));
    },
  });

  app.delete('/people/:id', {
    config: { right: 'change', audit: ['people.delete', 'person'] },
    schema: {
      tags,
      operationId: 'deletePerson',
      summary: 'Deletes a person with their images, vectors and corrections',
      params: IdParams,
      response: { 200: Receipt },
    },
    handler: async (request) =>
      toReceipt(await deletion.removePerson(callerOf(request).accountId, request.params.id)),
  });
}
