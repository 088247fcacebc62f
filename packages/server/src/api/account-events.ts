import type { Change } from '../live/change.js';
import type { Follower } from '../live/follower.js';
import { toTime } from './fields.js';
import { toJob } from './job.js';

/** Whatever is on the way closes a connection on which nothing comes. */
const pingMs = 15_000;
/** A stream on which nothing comes is open for no longer than this once its credential is over. */
const checkMs = 1000;
/** After which a page connects again when its connection is lost. */
const retryMs = 2000;

/**
 * What changes in an account as server-sent events (WHATWG HTML, 9.2), of which the first is `open`. Ends when the signal
 * fires or the credential is good no longer; nothing is told after that.
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
    case 'refetch':
      return toEvent('refetch', {});
  }
}

function toEvent(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
