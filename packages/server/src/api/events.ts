import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { writeAccountEvents } from './account-events.js';
import type { EventStreams } from './event-streams.js';
import { exactly } from './fields.js';
import { type ApiDeps, type ApiScope, callerOf } from './scope.js';

/** What changes in the account, for pages that show it. */
export function addEventRoutes(
  app: ApiScope,
  { live, eventStreams }: Pick<ApiDeps, 'live'> & { readonly eventStreams: EventStreams },
): void {
  app.get(
    '/events',
    {
      config: { isStream: true },
      schema: {
        tags: ['account'],
        operationId: 'followAccount',
        summary: 'What changes in this account, as server-sent events, as long as somebody listens',
        description:
          'First `open`: what was shown before may have changed, so read it again. Then `job` (the job), `drop_file` (`id`, `drop_id`, `name`, `state`), `analysis` (`fileid`, `operation`, `created_at`) and `usage` (calls: `limit`, `used`, `left`), each at most a second late; `refetch` when more changed than is told one by one; `ping` when nothing did. What is deleted is not told.',
        querystring: exactly({}),
        response: {
          200: {
            description: 'Events, without end',
            content: { 'text/event-stream': { schema: Type.Unsafe<Readable>(Type.String()) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { signal, isStillLetIn } = eventStreams.open(request, reply);
      const follower = await live.follow(callerOf(request).accountId, signal);
      return (
        reply
          .type('text/event-stream; charset=utf-8')
          // nginx would else gather events until it has a buffer full of them.
          .header('x-accel-buffering', 'no')
          .send(Readable.from(writeAccountEvents(follower, isStillLetIn, signal), { objectMode: false }))
      );
    },
  );
}
