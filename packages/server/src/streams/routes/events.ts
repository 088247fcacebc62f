import { Type } from 'typebox';
import { callerOf } from '../../http/api/caller.js';
import { exactly } from '../../http/api/fields.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../../http/api/paging.js';
import type { ApiScope } from '../../http/api/scope.js';
import type { StreamDeps } from './deps.js';
import { StreamEvent, seenQuery, toEvent, toFilter } from './seen.js';

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Position = Type.Tuple([Count, Count]);
const EventList = PageOf(StreamEvent, 'A page of events of streams');

export function addStreamEventRoutes(app: ApiScope, { streamStore }: StreamDeps): void {
  app.get('/stream-events', {
    config: { right: 'read' },
    schema: {
      tags: ['streams'],
      operationId: 'listStreamEvents',
      summary: 'What happened in streams, the newest first',
      description:
        'By class and person: of objects that are of that class, or that person, as far as it is known now. By zone: of objects that entered it.',
      querystring: exactly({ ...paging, ...seenQuery }),
      response: { 200: EventList },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const page = await streamStore.events.list(
        accountId,
        toFilter(request.query),
        pageRequest(Position, request.query),
      );
      return toPageAnswer(page, toEvent);
    },
  });
}
