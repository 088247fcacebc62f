import { mkdir, rm } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ServiceError } from '../../../core/service-error.js';
import { callerOf } from '../../../http/api/caller.js';
import { exactly } from '../../../http/api/fields.js';
import type { ApiScope } from '../../../http/api/scope.js';
import { createRequestSignal } from '../../../http/common/request-signal.js';
import { readFormToFolder } from '../../../intake/form-to-folder.js';
import { declaredBytes } from '../../../intake/read-body.js';
import type { RowLease } from '../../../storage/leases/row-leases.js';
import { takeSoon } from '../../../storage/leases/take-soon.js';
import { ImportOptionsRequest, readImportOptions, toImportOptions } from '../import-options.js';
import type { ModelVersion } from '../model.js';
import type { ModelDeps } from './deps.js';
import { IsActivated, ModelParams, VersionParams } from './fields.js';
import { ReadVersion, readWithRecord } from './version.js';

/** A TF.js model of many shards has some dozens. */
const maxFiles = 200;
const Files = {
  content: {
    'multipart/form-data': {
      schema: Type.Object({
        file: Type.Array(Type.String({ format: 'binary' })),
        options: Type.Optional(Type.String({ description: 'JSON of what the file does not say itself' })),
      }),
    },
  },
};
const tags = ['models'];

type UploadingRequest = Pick<FastifyRequest, 'caller' | 'raw' | 'requireAccess'> & {
  readonly query: { readonly activate?: boolean };
};

/** In a scope that leaves bodies unread: a ready model as a version. */
export function addUploadingVersionRoute(app: ApiScope, deps: ModelDeps): void {
  const { customModels, uploadVersion, settings, leases } = deps;
  const { models, versions, quota } = customModels;

  const addUnder = async (
    lease: RowLease,
    request: UploadingRequest,
    modelId: number,
    requestSignal: AbortSignal,
  ): Promise<ModelVersion> => {
    const { accountId } = callerOf(request);
    // Before half a gigabyte is sent in vain, where its length is known; and while it comes, where it is not.
    const expectedBytes = Math.min(declaredBytes(request.raw), settings.maxModelBytes);
    const take = await quota.openUpload(accountId, expectedBytes);
    const dir = await versions.draft(accountId);
    const signal = AbortSignal.any([requestSignal, lease.signal]);
    try {
      await mkdir(dir, { mode: 0o700 });
      const { maxModelBytes: maxBytes } = settings;
      const form = { dir, maxBytes, maxFiles, signal, take };
      const { files, fields } = await readFormToFolder(request.raw, form);
      if (files.length === 0)
        throw new ServiceError('no_file', 'no file: send the model as a file part of the form');
      await request.requireAccess();
      const options = readImportOptions(fields['options']);
      const { activate: isActivated = true } = request.query;
      const asked = { modelId, files, options, isActivated, signal, lease };
      return await uploadVersion.add(accountId, { ...asked, beforeCommit: request.requireAccess });
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  };

  app.post('/models/:id/versions', {
    config: {
      right: 'change',
      audit: ['versions.create', 'version'],
      arrivalTimeoutMs: settings.importTimeoutMs,
    },
    schema: {
      tags,
      operationId: 'uploadVersion',
      summary: 'Takes a ready model, as the files of a form, tries it, and makes it a version',
      params: ModelParams,
      querystring: exactly({ activate: Type.Optional(IsActivated) }),
      body: Files,
      response: { 201: ReadVersion },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const { id: modelId } = await models.read(accountId, request.params.id);
      if (!/^\s*multipart\//i.test(request.headers['content-type'] ?? '')) {
        throw new ServiceError('no_file', 'no file: send the model as a file part of a form');
      }
      const signal = createRequestSignal(reply, deps, settings.importTimeoutMs);
      // One at a time of an account: it takes half a gigabyte of the disk, and waits for its trial.
      const lease = await takeSoon(leases.rows, `upload-model ${accountId}`, signal);
      if (lease === null) {
        throw new ServiceError(
          'conflict',
          'another model of this account is being uploaded: wait for its end',
        );
      }
      const made = await addUnder(lease, request, modelId, signal).finally(() => lease.release());
      // Only now, since a client that has its answer may upload its next model at once.
      return readWithRecord(customModels, accountId, made);
    },
  });
}

/** An uploaded version with other options. */
export function addChangingVersionRoute(app: ApiScope, deps: ModelDeps): void {
  const { customModels, uploadVersion, settings } = deps;
  app.patch('/models/:id/versions/:number', {
    config: { right: 'change', audit: ['versions.change', 'version'] },
    schema: {
      tags,
      operationId: 'changeVersion',
      summary:
        'Makes a new version of the files of an uploaded one, with other labels, threshold or preprocessing',
      params: VersionParams,
      querystring: exactly({ activate: Type.Optional(IsActivated) }),
      body: ImportOptionsRequest,
      response: { 201: ReadVersion },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const { id: modelId, number } = request.params;
      const signal = createRequestSignal(reply, deps, settings.importTimeoutMs);
      const { activate: isActivated = true } = request.query;
      const asked = { modelId, number, options: toImportOptions(request.body), isActivated, signal };
      const beforeCommit = request.requireAccess;
      const made = await uploadVersion.change(accountId, { ...asked, beforeCommit });
      return readWithRecord(customModels, accountId, made);
    },
  });
}
