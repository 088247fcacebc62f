import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import type { AnalysisHead } from '../../recognition/analyses.js';
import { toAnswer } from './answer.js';
import { callerOf } from './caller.js';
import { exactly, FileId, fromTime, Id, Operation, Time, TimeInput } from './fields.js';
import { PageOf, pageRequest, paging, toPageAnswer } from './paging.js';
import type { ApiDeps, ApiScope } from './scope.js';
import { sendImage } from './send-image.js';
import { sendThumbnail, thumbnailQuery } from './send-thumbnail.js';

const head = {
  fileid: FileId,
  operation: Operation,
  key_id: Id,
  created_at: Time,
  expires_at: Time,
  image_bytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'size of the kept image; null when it is not kept',
  }),
  summary: Type.Object(
    { labels: Type.Array(Type.String()), models: Type.Array(Type.String()) },
    {
      description:
        'names of people, titles of objects and of classes, eight at most, and the models that ran; empty for one of before such were kept',
    },
  ),
};
export const FileHead = Type.Object(head, { title: 'FileHead' });
const FileList = PageOf(FileHead, 'A page of analyses');

/** What an analysis was made with and what it found; `result` differs by operation. */
const Found = Type.Object({
  image: Type.Object({ kind: Type.String(), width: Type.Integer(), height: Type.Integer() }),
  models: Type.Array(Type.Object({ id: Type.String(), version: Type.String() })),
  calibration: Type.Union([Type.String(), Type.Null()], {
    description: 'the calibration of the scores of objects',
  }),
  options: Type.Array(Type.Object({ task: Type.String() }, { additionalProperties: true }), {
    description: 'the tasks that ran, with their thresholds and limits',
  }),
  timings_ms: Type.Record(Type.String(), Type.Number(), { description: 'milliseconds' }),
  result: Type.Object({}, { additionalProperties: true, description: 'in pixels of the image as seen' }),
});

export const Analysis = Type.Object(
  { ...head, ...Found.properties },
  { title: 'FileAnalysis', description: 'The analysis' },
);

const FileParams = Type.Object({ fileid: FileId });
const Position = Type.Tuple([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), FileId]);

const tags = ['files'];

/** Analyses by `fileid` and their images, for as long as the account keeps them. */
export function addFileRoutes(app: ApiScope, { analyses, ...deps }: ApiDeps): void {
  app.get('/files', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listFiles',
      summary: 'Analyses of this account, the newest first',
      querystring: exactly({
        ...paging,
        operation: Type.Optional(Operation),
        search: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            pattern: '^[^\\u0000]*$',
            description: 'a part of a label of the summary or of the id of a model',
          }),
        ),
        from: Type.Optional(TimeInput('from when on')),
        to: Type.Optional(TimeInput('before when')),
      }),
      response: { 200: FileList },
    },
    async handler(request) {
      const { operation, search, from, to } = request.query;
      const page = await analyses.list(
        callerOf(request).accountId,
        {
          operation,
          search,
          fromMs: from === undefined ? undefined : fromTime('from', from),
          beforeMs: to === undefined ? undefined : fromTime('to', to),
        },
        pageRequest(Position, request.query),
      );
      return toPageAnswer(page, toHead);
    },
  });

  app.get('/files/:fileid', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readFile',
      summary: 'One analysis: what was found, by which models, with which thresholds, how long it took',
      params: FileParams,
      response: { 200: Analysis },
    },
    async handler(request, reply) {
      const found = await analyses.read(callerOf(request).accountId, request.params.fileid);
      const text = joinObjects(JSON.stringify(toHead(found)), toFieldsText(found.record));
      return sendText(reply, text);
    },
  });

  app.delete('/files/:fileid', {
    config: { right: 'change', audit: ['files.delete', 'file'] },
    schema: {
      tags,
      operationId: 'deleteFile',
      summary: 'Deletes an analysis',
      params: FileParams,
      response: { 204: Type.Null({ description: 'It is deleted' }) },
    },
    async handler(request) {
      await analyses.remove(callerOf(request).accountId, request.params.fileid);
    },
  });

  app.get('/files/:fileid/content', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readFileContent',
      summary: 'The image of an analysis as it came, or small; where the setting keepImages is on',
      params: FileParams,
      querystring: exactly(thumbnailQuery),
      response: {
        200: {
          description: 'The image',
          content: { 'image/*': { schema: Type.Unsafe<Readable>(Type.String({ format: 'binary' })) } },
        },
      },
    },
    async handler(request, reply) {
      const { fileid } = request.params;
      const { accountId } = callerOf(request);
      const { width } = request.query;
      if (width !== undefined) {
        const location = await analyses.locationOfImage(accountId, fileid);
        const image = { owner: 'analysis', id: fileid } as const;
        return sendThumbnail(deps, request, reply, { image, widthPx: width }, location);
      }
      const { kind, image } = await analyses.readImage(accountId, fileid);
      return sendImage(reply, { id: fileid, kind }, image);
    },
  });
}

function toHead(analysis: AnalysisHead): Static<typeof FileHead> {
  const { labels, models } = analysis.summary;
  return toAnswer(FileHead, analysis, { summary: { labels: [...labels], models: [...models] } });
}

/** Answers JSON that is written already; a test holds it to the route's schema. */
function sendText(reply: Pick<FastifyReply, 'type'>, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text);
}

/**
 * The fields of a kept record in the API's spelling, `min_score` for `minScore`, as JSON text. A record can have hundreds
 * of kilobytes: of 430 kB, parsing, rewriting and writing held the serving thread for 23 to 84 ms, this for 3 to 9.
 * Exact: a quote inside a JSON string is escaped, so a name between bare quotes before a colon is a field's.
 */
export function toFieldsText(record: string): string {
  return record.replace(/"[a-z]+(?:[A-Z][a-z]*)+":/g, (field) =>
    field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
}

/** One JSON object with the fields of both; each is the text of an object. */
export function joinObjects(first: string, second: string): string {
  if (first === '{}') return second;
  return second === '{}' ? first : `${first.slice(0, -1)},${second.slice(1)}`;
}
