import { Type } from 'typebox';
import { followRequest } from '../../http/follow-request.js';
import type { TrainingReport } from '../../models/reports/training-report.js';
import { exactly } from '../fields.js';
import { type ApiDeps, type ApiScope, callerOf } from '../scope.js';
import { VersionParams } from './fields.js';

const Report = Type.Unsafe<TrainingReport>(
  Type.Object(
    {
      kind: Type.Enum(['classification', 'object_detection']),
      datasetId: Type.Integer(),
    },
    { additionalProperties: true, description: 'The report.json of the training, and the dataset it was of' },
  ),
);
const tags = ['models'];

/** What trainings told of the versions that they made. */
export function addReportRoutes(
  app: ApiScope,
  { modelWork, settings, givenUp }: Pick<ApiDeps, 'modelWork' | 'settings' | 'givenUp'>,
): void {
  const { reports } = modelWork;
  app.get(
    '/models/:id/versions/:number/report',
    {
      schema: {
        tags,
        operationId: 'readReport',
        summary:
          'How good a trained version is on pictures that it has not seen, and what would make it better',
        params: VersionParams,
        querystring: exactly({}),
        response: { 200: Report },
      },
    },
    async (request) => reports.read(callerOf(request).accountId, request.params.id, request.params.number),
  );

  app.get(
    '/models/:id/versions/:number/report.html',
    {
      schema: {
        tags,
        operationId: 'readReportPage',
        summary: 'The same as a page to look at, its pictures within',
        params: VersionParams,
        querystring: exactly({}),
        response: {
          200: { description: 'The page', content: { 'text/html': { schema: Type.String() } } },
        },
      },
    },
    async (request, reply) => {
      const { id, number } = request.params;
      const life = followRequest(reply.raw, settings.requestTimeoutMs, givenUp);
      try {
        const page = await reports.page(callerOf(request).accountId, id, number, life.signal);
        return await reply
          .type('text/html; charset=utf-8')
          .header(
            'content-security-policy',
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox",
          )
          .send(page);
      } finally {
        life.end();
      }
    },
  );
}
