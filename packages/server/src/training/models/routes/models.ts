import { type Static, Type } from 'typebox';
import { toAnswer } from '../../../http/api/answer.js';
import { callerOf } from '../../../http/api/caller.js';
import { exactly, Id, Name, Time } from '../../../http/api/fields.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../../../http/api/paging.js';
import type { ApiScope } from '../../../http/api/scope.js';
import type { ModelReceipt } from '../deletion.js';
import type { Model as DomainModel } from '../model.js';
import type { ModelDeps } from './deps.js';
import { Description, ModelParams, Task } from './fields.js';

export const Model = Type.Object(
  {
    model_id: Type.Integer({ description: 'what v1 names it by; counts with perceptions', examples: [1001] }),
    uid: Type.String({ description: 'what v2 names it by; either does everywhere' }),
    name: Type.String({ examples: ['animals'] }),
    description: Type.String(),
    task: Task,
    version: Type.Union([Type.Integer(), Type.Null()], {
      description: 'the number of the version that predicts; null before there is one',
    }),
    dataset_id: Type.Union([Type.Integer(), Type.Null()], { description: 'what it was trained on last' }),
    created_at: Time,
  },
  { title: 'CustomModel', description: 'The model of the account as it is now' },
);
const ModelList = PageOf(Model, 'A page of models');
export const Receipt = Type.Object(
  {
    versions: Type.Integer(),
    jobs: Type.Integer({ description: 'trainings and comparisons of it, ended or not' }),
    model_bytes: Type.Integer(),
  },
  { title: 'ModelReceipt', description: 'What was deleted, for good' },
);
const tags = ['models'];

/** Models that customers made. */
export function addModelRecordRoutes(app: ApiScope, { customModels }: ModelDeps): void {
  const { models, deletion } = customModels;

  app.get('/models', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listModels',
      summary: 'Models of this account, the newest first; built-in ones are not among them',
      querystring: exactly(paging),
      response: { 200: ModelList },
    },
    async handler(request) {
      const page = await models.list(callerOf(request).accountId, pageRequest(Id, request.query));
      return toPageAnswer(page, toModel);
    },
  });

  app.post('/models', {
    config: { right: 'change', audit: ['models.create', 'model'] },
    schema: {
      tags,
      operationId: 'createModel',
      summary: 'Makes a model without a version; the task stays',
      body: exactly({ name: Name, task: Task, description: Type.Optional(Description) }),
      response: { 201: Model },
    },
    async handler(request) {
      const { name, task, description = '' } = request.body;
      const made = await models.create(callerOf(request).accountId, { name, task, description });
      return toModel(made);
    },
  });

  app.get('/models/:id', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readModel',
      summary: 'One model',
      params: ModelParams,
      response: { 200: Model },
    },
    handler: async (request) => toModel(await models.read(callerOf(request).accountId, request.params.id)),
  });

  app.patch('/models/:id', {
    config: { right: 'change', audit: ['models.change', 'model'] },
    schema: {
      tags,
      operationId: 'changeModel',
      summary: 'Renames a model, or describes it',
      params: ModelParams,
      body: exactly({ name: Type.Optional(Name), description: Type.Optional(Description) }),
      response: { 200: Model },
    },
    handler: async (request) =>
      toModel(await models.change(callerOf(request).accountId, request.params.id, request.body)),
  });

  app.delete('/models/:id', {
    config: { right: 'change', audit: ['models.delete', 'model'] },
    schema: {
      tags,
      operationId: 'deleteModel',
      summary: 'Deletes a model with its versions, its files and the work on it; its datasets stay',
      params: ModelParams,
      response: { 200: Receipt },
    },
    handler: async (request) =>
      toReceipt(await deletion.removeModel(callerOf(request).accountId, request.params.id)),
  });
}

export function toModel(model: DomainModel): Static<typeof Model> {
  return toAnswer(Model, model, { model_id: model.id });
}

function toReceipt({ versions, jobs, bytes }: ModelReceipt): Static<typeof Receipt> {
  return { versions, jobs, model_bytes: bytes };
}
