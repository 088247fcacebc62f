import { Type } from 'typebox';
import { callerOf } from '../../../http/api/caller.js';
import type { ApiScope } from '../../../http/api/scope.js';
import { createRequestSignal } from '../../../http/common/request-signal.js';
import type { ModelDeps } from './deps.js';
import { VersionParams } from './fields.js';

/** Reports of trainings on the versions that they made, as a page. */
export function addReportPageRoute(app: ApiScope, deps: ModelDeps): void {
  app.get('/models/:id/versions/:number/report.html', {
    config: { right: 'read' },
    schema: {
      tags: ['models'],
      operationId: 'readReportPage',
      summary: 'The report of a trained version as a page to look at, its images within',
      params: VersionParams,
      response: {
        200: { description: 'The page', content: { 'text/html': { schema: Type.String() } } },
      },
    },
    async handler(request, reply) {
      const { id, number } = request.params;
      const signal = createRequestSignal(reply, deps);
      const page = await deps.modelWork.reports.page(callerOf(request).accountId, id, number, signal);
      return reply
        .type('text/html; charset=utf-8')
        .header(
          'content-security-policy',
          "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox",
        )
        .send(page);
    },
  });
}
