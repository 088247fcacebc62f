import { Type } from 'typebox';
import { callerOf } from '../../../http/api/caller.js';
import { exactly, Id, Name } from '../../../http/api/fields.js';
import type { ApiScope } from '../../../http/api/scope.js';
import type { DatasetDeps } from './deps.js';
import { ClassParams, DatasetParams } from './fields.js';

export const DatasetClass = Type.Object(
  { id: Type.Integer({ examples: [1001] }), name: Type.String({ examples: ['raccoon'] }) },
  { title: 'DatasetClass', description: 'The class as it is now' },
);
const tags = ['datasets'];

/** What images of a dataset can show. */
export function addClassRoutes(app: ApiScope, { datasets: store }: DatasetDeps): void {
  const { datasets, classes } = store;

  app.post('/datasets/:id/classes', {
    config: { right: 'change', audit: ['classes.create', 'class'] },
    schema: {
      tags,
      operationId: 'createDatasetClass',
      summary: 'Adds a class, of a name that the dataset does not have',
      params: DatasetParams,
      body: exactly({ name: Name }),
      response: { 201: DatasetClass },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id } = await datasets.read(accountId, request.params.id);
      return classes.add(accountId, id, request.body.name);
    },
  });

  app.patch('/datasets/:id/classes/:class_id', {
    config: { right: 'change', audit: ['classes.change', 'class'] },
    schema: {
      tags,
      operationId: 'changeDatasetClass',
      summary: 'Renames a class',
      params: ClassParams,
      body: exactly({ name: Name }),
      response: { 200: DatasetClass },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id } = await datasets.read(accountId, request.params.id);
      return classes.rename(accountId, id, request.params.class_id, request.body.name);
    },
  });

  app.post('/datasets/:id/classes/:class_id/merge', {
    config: { right: 'change', audit: ['classes.merge', 'class'] },
    schema: {
      tags,
      operationId: 'mergeDatasetClass',
      summary: 'Makes one class of two: labels go over, and this class is gone',
      params: ClassParams,
      body: exactly({ into: Id }),
      response: { 200: DatasetClass },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id } = await datasets.read(accountId, request.params.id);
      return classes.merge(accountId, id, request.params.class_id, request.body.into);
    },
  });

  app.delete('/datasets/:id/classes/:class_id', {
    config: { right: 'change', audit: ['classes.delete', 'class'] },
    schema: {
      tags,
      operationId: 'deleteDatasetClass',
      summary: 'Deletes a class; with force=true also one that images have, whose labels go with it',
      params: ClassParams,
      querystring: exactly({ force: Type.Optional(Type.Boolean({ description: 'true or false' })) }),
      response: { 204: Type.Null({ description: 'It is deleted' }) },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id } = await datasets.read(accountId, request.params.id);
      await classes.remove(accountId, id, request.params.class_id, request.query.force ?? false);
    },
  });
}
