import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { ServiceError } from '../../../core/service-error.js';
import { callerOf } from '../../../http/api/caller.js';
import { exactly, Id } from '../../../http/api/fields.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../../../http/api/paging.js';
import type { ApiScope } from '../../../http/api/scope.js';
import type { ModelDeps } from './deps.js';
import { ModelParams, VersionParams } from './fields.js';
import { Model, toModel } from './models.js';
import { ReadVersion, readWithRecord, toVersionHead, Version } from './version.js';

const VersionList = PageOf(Version, 'A page of versions');
/** Of a classifier or a detector; docs/training.md describes its fields. */
const Report = Type.Object({}, { additionalProperties: true, description: 'What the training measured' });
const onnxType = 'application/octet-stream';
const tags = ['models'];

/** The versions of a model, and which of them predicts. */
export function addVersionRoutes(app: ApiScope, { customModels }: ModelDeps): void {
  const { models, versions } = customModels;

  app.get('/models/:id/versions', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listVersions',
      summary: 'Versions of a model, the newest first',
      params: ModelParams,
      querystring: exactly(paging),
      response: { 200: VersionList },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const model = await models.read(accountId, request.params.id);
      const page = await versions.list(accountId, model.id, pageRequest(Id, request.query));
      return toPageAnswer(page, (version) => toVersionHead(model, version));
    },
  });

  app.get('/models/:id/versions/:number', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readVersion',
      summary: 'One version: its labels, and of an upload how its file was understood',
      params: VersionParams,
      response: { 200: ReadVersion },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id, number } = request.params;
      const version = await versions.read(accountId, id, number);
      return readWithRecord(customModels, accountId, version);
    },
  });

  app.get('/models/:id/versions/:number/report', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readVersionReport',
      summary: 'What its training measured; 404 for an upload',
      params: VersionParams,
      response: { 200: Report },
    },
    async handler(request) {
      const { id, number } = request.params;
      const report = await versions.report(callerOf(request).accountId, id, number);
      if (typeof report === 'object' && report !== null) return report;
      throw new ServiceError('not_found', `version ${number} has no report: it was not trained here`);
    },
  });

  app.get('/models/:id/versions/:number/model.onnx', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'downloadVersion',
      summary: 'Its model as one ONNX file that needs nothing of ours',
      params: VersionParams,
      response: {
        200: {
          description: 'The file',
          content: { [onnxType]: { schema: Type.Unsafe<Readable>(Type.String({ format: 'binary' })) } },
        },
      },
    },
    async handler(request, reply) {
      const { id, number } = request.params;
      const version = await versions.read(callerOf(request).accountId, id, number);
      const { path, release } = await versions.hold(version);
      const file = createReadStream(join(path, 'model.onnx')).once('close', release);
      return reply
        .type(onnxType)
        .header('content-disposition', `attachment; filename="model-${id}-v${number}.onnx"`)
        .header('content-length', version.bytes)
        .send(file);
    },
  });

  app.patch('/models/:id/versions/:number/settings', {
    config: { right: 'change', audit: ['versions.change', 'version'] },
    schema: {
      tags,
      operationId: 'changeVersionSettings',
      summary: 'Sets whether an object gets one label only, from the next call on; of a detector',
      params: VersionParams,
      body: exactly({
        one_label: Type.Boolean({
          description: 'true or false: whether of two labels on one box the lesser is left out',
        }),
      }),
      response: { 200: ReadVersion },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id, number } = request.params;
      const settings = { oneLabel: request.body.one_label };
      return readWithRecord(customModels, accountId, await versions.change(accountId, id, number, settings));
    },
  });

  app.delete('/models/:id/versions/:number', {
    config: { right: 'change', audit: ['versions.delete', 'version'] },
    schema: {
      tags,
      operationId: 'deleteVersion',
      summary: 'Deletes a version with its files; not the one that predicts',
      params: VersionParams,
      response: { 204: Type.Null({ description: 'It is deleted' }) },
    },
    async handler(request) {
      const { id, number } = request.params;
      await versions.remove(callerOf(request).accountId, id, number);
    },
  });

  app.put('/models/:id/version', {
    config: { right: 'change', audit: ['models.switch', 'model'] },
    schema: {
      tags,
      operationId: 'switchVersion',
      summary: 'Makes a version the one that predicts, from the next call on; an older one to roll back',
      params: ModelParams,
      body: exactly({ number: Id }),
      response: { 200: Model },
    },
    handler: async (request) =>
      toModel(await versions.activate(callerOf(request).accountId, request.params.id, request.body.number)),
  });
}
