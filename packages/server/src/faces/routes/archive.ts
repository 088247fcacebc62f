import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Accounts } from '../../accounts/accounts.js';
import { ServiceError } from '../../core/service-error.js';
import { callerOf } from '../../http/api/caller.js';
import type { ApiScope } from '../../http/api/scope.js';
import { createRequestSignal } from '../../http/common/request-signal.js';
import { hasBody } from '../../intake/read-body.js';
import { streamBody } from '../../intake/stream-body.js';
import type { ImportReceipt as DomainReceipt } from '../archive/import-perception.js';
import type { FaceDeps } from './deps.js';
import { IdParams } from './fields.js';
import { findPerception } from './find-perception.js';
import { Perception, toPerception } from './perceptions.js';

const tarType = 'application/x-tar';
/** Of an archive that is on its way out: an image and more are read when the client takes this. */
const aheadBytes = 64 * 1024;

export const ImportReceipt = Type.Object(
  {
    perception: Perception,
    people: Type.Integer(),
    images: Type.Integer(),
    re_embedded: Type.Integer({
      description: "of these images; all of them where the archive's embedder is not installed",
    }),
    left_out: Type.Integer({
      description: 'images in whose image the embedder at hand finds no face where the archive has one',
    }),
  },
  { title: 'ImportReceipt', description: 'What was made of the archive' },
);
const tags = ['perceptions'];
const binary = Type.String({ format: 'binary' });

/** A perception as a file to take away. */
export function addExportRoute(app: ApiScope, { faces }: FaceDeps): void {
  app.get('/perceptions/:id/export', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'exportPerception',
      summary: 'All of a perception as a tar file: settings, people, corrections, images, vectors',
      params: IdParams,
      response: {
        200: {
          description: 'The archive; without an end.json as its last member it was cut',
          content: { [tarType]: { schema: Type.Unsafe<Readable>(binary) } },
        },
      },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const perception = await findPerception(faces, accountId, request.params.id);
      const archive = faces.exportPerception(accountId, perception);
      return reply
        .type(tarType)
        .header('content-disposition', `attachment; filename="perception-${perception.id}.tar"`)
        .send(Readable.from(archive, { objectMode: false, highWaterMark: aheadBytes }));
    },
  });
}

/** In a scope of uploads: a perception made of such a file. */
export function addImportRoute(app: ApiScope, deps: FaceDeps): void {
  const { faces, accounts, settings } = deps;

  const importArchive = async (accountId: number, request: FastifyRequest, reply: FastifyReply) => {
    const { raw } = request;
    await requirePaidPlan(accounts, accountId);
    checkArchiveHead(raw.headers, hasBody(raw), settings.maxArchiveBytes);
    const signal = createRequestSignal(reply, deps, settings.importTimeoutMs);
    const archive = streamBody(raw, {
      maxBytes: settings.maxArchiveBytes,
      maxSilenceMs: settings.requestTimeoutMs,
      signal,
    });
    try {
      return await faces.importPerception(accountId, archive, {
        signal,
        beforeCommit: request.requireAccess,
      });
    } finally {
      archive.destroy();
    }
  };

  app.post('/perceptions/import', {
    config: {
      right: 'change',
      audit: ['perceptions.import', 'perception'],
      arrivalTimeoutMs: settings.importTimeoutMs,
    },
    schema: {
      tags,
      operationId: 'importPerception',
      summary: 'Makes a perception of an exported one; nobody sees it before all of it is there',
      body: { content: { [tarType]: { schema: binary } } },
      response: { 201: ImportReceipt },
    },
    async handler(request, reply) {
      const receipt = await importArchive(callerOf(request).accountId, request, reply);
      return toImportReceipt(receipt);
    },
  });
}

/** What a call costs is counted by images recognised; an archive brings any number of them in one request that counts none. */
async function requirePaidPlan(accounts: Pick<Accounts, 'readAccount'>, accountId: number): Promise<void> {
  const { plan } = await accounts.readAccount(accountId);
  if (plan !== 'trial') return;
  throw new ServiceError(
    'not_allowed',
    'a trial account imports no archives: add images one by one, or ask the operator for a paid plan',
  );
}

function checkArchiveHead(headers: FastifyRequest['headers'], isThere: boolean, maxBytes: number): void {
  if (!isThere) throw new ServiceError('no_file', 'no archive: send it as the body itself');
  const type = headers['content-type'] ?? tarType;
  if (/^\s*(multipart\/|application\/json)/i.test(type)) {
    throw new ServiceError('bad_request', `send the archive as the body itself, Content-Type: ${tarType}`);
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) {
    throw new ServiceError('file_too_large', `the archive is larger than ${maxBytes} bytes`);
  }
}

function toImportReceipt(receipt: DomainReceipt): Static<typeof ImportReceipt> {
  const { perception, people, images, reEmbedded, leftOut } = receipt;
  return {
    perception: toPerception(perception),
    people,
    images,
    re_embedded: reEmbedded,
    left_out: leftOut,
  };
}
