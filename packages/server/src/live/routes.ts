import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { callerOf } from '../http/api/caller.js';
import { toTime, toTimeOrNull } from '../http/api/fields.js';
import { toJob } from '../http/api/job.js';
import type { ApiDeps, ApiScope } from '../http/api/scope.js';
import { toEvent as toStreamEvent } from '../streams/routes/seen.js';
import type { Change } from './change.js';
import type { Follower } from './follower.js';
import type { LiveChanges } from './live-changes.js';

/** Whatever is on the way closes a connection on which nothing comes. */
const pingMs = 15_000;

/** A stream on which nothing comes is open for no longer than this once its credential is over. */
const checkMs = 1000;

/** After which a page connects again when its connection is lost. */
const retryMs = 2000;

export interface LiveDeps extends ApiDeps {
  readonly live: LiveChanges;
}

/** What changes in the account, for pages that show it. */
export function addEventRoutes(app: ApiScope, { live, eventStreams }: LiveDeps): void {
  app.get('/events', {
    config: { right: 'read', isStream: true },
    schema: {
      tags: ['account'],
      operationId: 'followAccount',
      summary: 'What changes in this account, as server-sent events, until the client disconnects',
      description:
        'First `open`: what was shown before may have changed, so read it again. Then `job` (the job), `drop_file` (`id`, `drop_id`, `name`, `state`), `analysis` (`fileid`, `operation`, `created_at`), `usage` (calls: `limit`, `used`, `left`), `stream_state` (`stream_id`, `state`, `reason`, `fps`, `last_frame_at`) and `stream_event` (the event), each at most a second late; `refetch` when more changed than is sent one by one; `ping` when nothing did. Deletions are not sent.',
      response: {
        200: {
          description: 'Events, without end',
          content: { 'text/event-stream': { schema: Type.Unsafe<Readable>(Type.String()) } },
        },
      },
    },
    async handler(request, reply) {
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
  });
}

/**
 * What changes in an account as server-sent events (WHATWG HTML, 9.2), of which the first is `open`. Ends when the signal
 * fires or the credential is good no longer; no event follows that.
 */
export async function* writeAccountEvents(
  follower: Follower,
  isStillLetIn: () => Promise<boolean>,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  yield `retry: ${retryMs}\n${toEvent('open', {})}`;
  let lastSentMs = performance.now();
  while (!signal.aborted) {
    const changes = await follower.take(checkMs, signal);
    if (signal.aborted || !(await isStillLetIn())) return;
    const isQuiet = performance.now() - lastSentMs >= pingMs - 1;
    if (changes.length === 0 && !isQuiet) continue;
    yield changes.length === 0 ? toEvent('ping', {}) : changes.map(toText).join('');
    lastSentMs = performance.now();
  }
}

function toText(change: Change): string {
  switch (change.kind) {
    case 'job':
      return toEvent('job', toJob(change.job));
    case 'drop_file': {
      const { id, dropId, name, state } = change.file;
      return toEvent('drop_file', { id, drop_id: dropId, name, state });
    }
    case 'analysis': {
      const { fileid, operation, createdAt } = change.analysis;
      return toEvent('analysis', { fileid, operation, created_at: toTime(createdAt) });
    }
    case 'usage': {
      const { callsUsed: used, callLimit: limit } = change;
      const left = limit === null ? null : Math.max(0, limit - used);
      return toEvent('usage', { limit, used, left });
    }
    case 'stream_state': {
      const { state, reason, fps, lastFrameAt } = change.state;
      const shown = { state, reason, fps, last_frame_at: toTimeOrNull(lastFrameAt) };
      return toEvent('stream_state', { stream_id: change.streamId, ...shown });
    }
    case 'stream_event':
      return toEvent('stream_event', toStreamEvent(change.event));
    case 'refetch':
      return toEvent('refetch', {});
  }
}

function toEvent(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
