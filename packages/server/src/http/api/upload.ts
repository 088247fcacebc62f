import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { ImageSource } from '@lynceus/engine';
import type { FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { chooseImage } from '../../intake/request-image.js';
import { isUnread, ofUnread, readUpload } from '../../intake/upload.js';
import { createRequestSignal } from '../common/request-signal.js';
import { callerOf } from './caller.js';
import { compileCheck } from './check-request.js';
import type { ApiDeps, ApiScope } from './scope.js';

type UploadDeps = Pick<ApiDeps, 'spool' | 'fetchImage' | 'shutdownSignal' | 'settings'>;

/** A body for the OpenAPI document; it passes by Fastify unread. */
export const ImageBody = {
  content: {
    'multipart/form-data': {
      schema: Type.Object({ image: Type.Optional(Type.String({ format: 'binary' })) }),
    },
    'application/octet-stream': { schema: Type.String({ format: 'binary' }) },
  },
};

/** Beside an image in the body, which goes before it. */
export const ImageUrl = Type.Optional(
  Type.String({ minLength: 1, description: 'the http or https address of the image' }),
);

/** A scope whose routes take an image: as a part of a form, as the body itself, or by its address. */
export function addUploadRoutes(app: ApiScope, add: (scope: ApiScope) => void): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.setValidatorCompiler(checkAllButBody);
    add(scope.withTypeProvider<TypeBoxTypeProvider>());
  });
}

const checkAllButBody: FastifySchemaCompiler<TSchema> = (route) =>
  route.httpPart === 'body' ? () => true : compileCheck(route);

export interface ImageRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly url: string | undefined;
}

/** Brings the image of a request for the time of `work`. Throws `no_file`, `file_too_large` and what fetching throws. */
export async function withImage<Result>(
  deps: UploadDeps,
  { request, reply, url }: ImageRequest,
  work: (source: ImageSource, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { settings, spool } = deps;
  const signal = createRequestSignal(reply, deps);
  const limits = { maxImageBytes: settings.maxImageBytes, maxTextBytes: settings.maxJsonBytes };
  const { accountId } = callerOf(request);
  const { image } = await readUpload(request.raw, spool.of(accountId), limits, signal);
  try {
    const usual = 'no image: send it as the body, as a file part of a form, or give its address as url';
    const missing = isUnread(request.raw) ? `${usual}; ${ofUnread}` : usual;
    return await chooseImage({ image, url, missing, accountId }, deps, signal).use(async (source) => {
      await request.requireAccess();
      return work(source, signal);
    });
  } finally {
    await image?.dispose();
  }
}
