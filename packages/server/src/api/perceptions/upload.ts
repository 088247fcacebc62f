import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { followRequest } from '../../http/follow-request.js';
import type { HeldPicture } from '../../intake/held-picture.js';
import { choosePicture } from '../../intake/picture-choice.js';
import { readUpload } from '../../intake/upload.js';
import { compileCheck } from '../check-request.js';
import { type ApiDeps, type ApiScope, callerOf } from '../scope.js';

export type UploadDeps = Pick<ApiDeps, 'spool' | 'fetchPicture' | 'givenUp' | 'settings'>;

/** A body for the OpenAPI document; it passes by Fastify unread. */
export const PictureBody = {
  content: {
    'multipart/form-data': {
      schema: Type.Object({ image: Type.Optional(Type.String({ format: 'binary' })) }),
    },
    'application/octet-stream': { schema: Type.String({ format: 'binary' }) },
  },
};

/** Beside a picture in the body, which goes before it. */
export const PictureUrl = Type.Optional(
  Type.String({ minLength: 1, description: 'the http or https address of the picture' }),
);

/** A scope whose routes take a picture: as a part of a form, as the body itself, or by its address. */
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

export interface PictureRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly url: string | undefined;
}

/** Holds the picture of a request for the time of `work`. Throws `no_file`, `file_too_large` and what fetching throws. */
export async function withPicture<Result>(
  deps: UploadDeps,
  { request, reply, url }: PictureRequest,
  work: (picture: HeldPicture, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { settings, spool, givenUp } = deps;
  const life = followRequest(reply.raw, settings.requestTimeoutMs, givenUp);
  const { signal } = life;
  const held: HeldPicture[] = [];
  try {
    const limits = { maxPictureBytes: settings.maxPictureBytes, maxTextBytes: settings.maxJsonBytes };
    const { accountId } = callerOf(request);
    const form = await readUpload(request.raw, spool.of(accountId), limits, signal);
    if (form.picture) held.push(form.picture);
    const missing = 'no picture: send it as the body, as a file part of a form, or give its address as url';
    const choice = choosePicture({ picture: form.picture, url, missing, accountId }, deps, signal);
    const picture = await choice.obtain();
    held.push(picture);
    await request.requireAccess();
    return await work(picture, signal);
  } finally {
    life.end();
    await Promise.all(held.map((picture) => picture.dispose()));
  }
}
