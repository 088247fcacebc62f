import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ServiceError } from '../../../core/service-error.js';
import { callerOf } from '../../../http/api/caller.js';
import { compileCheck } from '../../../http/api/check-request.js';
import { explainFaults } from '../../../http/api/explain-faults.js';
import { exactly, Name } from '../../../http/api/fields.js';
import { foldLanguages, foldSettings } from '../../../http/api/fold-settings.js';
import { readJsonBodies } from '../../../http/api/read-json.js';
import type { ApiScope } from '../../../http/api/scope.js';
import { createRequestSignal } from '../../../http/common/request-signal.js';
import { readUploadStream, type UploadFields } from '../../../intake/upload-stream.js';
import type { Video as DomainVideo } from '../video.js';
import type { UploadedVideo } from '../videos.js';
import type { VideoDeps } from './deps.js';
import { fromSettings, SettingsInput } from './settings.js';
import { Video } from './video.js';
import { showVideo } from './videos.js';

const wanted = { name: Type.Optional(Name), settings: Type.Optional(SettingsInput) };
const Fields = exactly(wanted);
const ByAddress = exactly({
  address: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'an http or https address; user name and password may be in it',
  }),
  ...wanted,
});
const jsonType = 'application/json';
const Body = {
  content: {
    [jsonType]: { schema: ByAddress },
    'multipart/form-data': {
      schema: Type.Object({
        file: Type.String({ format: 'binary' }),
        name: Type.Optional(Type.String({ description: 'that of the file unless given' })),
        settings: Type.Optional(Type.String({ description: 'JSON of VideoSettingsInput' })),
      }),
    },
  },
};

/** Adding a video: its file as a part of a form, which is left unread for the handler, or its address in JSON. */
export function addVideoAddingRoute(app: ApiScope, deps: VideoDeps): void {
  app.register(async (scope) => {
    readJsonBodies(scope);
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.setValidatorCompiler(checkAllButForms);
    addRoute(scope.withTypeProvider<TypeBoxTypeProvider>(), deps);
  });
}

const checkAllButForms: FastifySchemaCompiler<TSchema> = (route) =>
  route.httpPart === 'body' && route.schema !== ByAddress ? () => true : compileCheck(route);

function addRoute(app: ApiScope, deps: VideoDeps): void {
  const { videos } = deps.videoStore;
  app.post('/videos', {
    config: {
      right: 'change',
      audit: ['videos.create', 'video'],
      arrivalTimeoutMs: deps.settings.importTimeoutMs,
    },
    preValidation: foldSettings,
    schema: {
      tags: ['videos'],
      operationId: 'createVideo',
      summary: 'Takes a video as the file of a form, or by its address, and has it analysed',
      description:
        'MP4, MOV, MKV, WebM, AVI and MPEG-TS are taken, by their content. A file is kept when the answer comes; one by its address is fetched afterwards. Sound is ignored.',
      body: Body,
      response: { 202: Video },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const made = isOfType(request, jsonType)
        ? await addByAddress(request, deps)
        : await addUpload(request, reply, deps);
      return showVideo(deps, accountId, made);
    },
  });

  function addByAddress(request: FastifyRequest, { videoStore }: VideoDeps): Promise<DomainVideo> {
    const { address, name, settings } = request.body as Static<typeof ByAddress>;
    return videoStore.videos.addByAddress(callerOf(request).accountId, address, {
      name,
      settings: settings && fromSettings(settings),
    });
  }

  function addUpload(request: FastifyRequest, reply: FastifyReply, { settings }: VideoDeps) {
    if (!isOfType(request, 'multipart/'))
      throw new ServiceError('no_file', 'no file: send the video as a file part of a form');
    const form: UploadFields = { fields: Object.create(null), fileName: null };
    const signal = createRequestSignal(reply, deps, settings.importTimeoutMs);
    const content = readUploadStream(request.raw, { maxBytes: settings.videoMaxBytes, signal, form });
    return videos.add(callerOf(request).accountId, content, async () => {
      await request.requireAccess();
      return readFields(form);
    });
  }
}

function readFields({ fields, fileName }: UploadFields): UploadedVideo {
  const { settings, ...others } = fields;
  const given = settings === undefined ? others : { ...others, settings: parse(settings) };
  if (!Value.Check(Fields, given)) {
    throw new ServiceError('wrong_parameters', explainFaults(Fields, given));
  }
  return { fileName, name: given.name, settings: given.settings && fromSettings(given.settings) };
}

function parse(text: string): unknown {
  try {
    return foldLanguages(JSON.parse(text));
  } catch {
    throw new ServiceError('wrong_parameters', 'settings must be JSON');
  }
}

function isOfType({ headers }: FastifyRequest, type: string): boolean {
  return (headers['content-type'] ?? '').trim().toLowerCase().startsWith(type);
}
