import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../core/clock.js';
import type { Database } from '../../storage/database.js';
import type { FrameChannel } from './frame-channel.js';
import { writeShared } from './shared-result.js';
import type { ShownFrame } from './shown-frame.js';

/** A stream that this service runs. */
interface SharedStream {
  readonly accountId: number;
  readonly streamId: number;
  readonly channel: FrameChannel;
}

interface SharePreviewsDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly clock: Clock;
  readonly running: () => readonly SharedStream[];
  readonly onFailure: (error: unknown) => void;
}

const lookMs = 1000;
/** Two frames a second at most: they go through the database. */
const shareEveryMs = 500;
const maxSidePx = 1280;
/** A row with an image in it goes so long after the last look at it. */
const forgetAfterMs = 10_000;

/** Writes frames of running streams for services that ask for them, and deletes those that nobody asks for any more, until the signal fires. */
export async function sharePreviews(deps: SharePreviewsDeps, signal: AbortSignal): Promise<void> {
  const { database, clock, running, onFailure } = deps;
  const { query } = database;
  const sharing = new Map<FrameChannel, { untilMs: number }>();

  const write = async ({ accountId, streamId }: SharedStream, frame: ShownFrame) => {
    const jpeg = await frame.toJpeg({ hasBoxes: false, maxSidePx });
    if (jpeg === null) return;
    await database.write([
      query
        .updateTable('stream_preview')
        .set({ at: Math.round(frame.atMs), jpeg, result: writeShared(frame) })
        .where('account_id', '=', accountId)
        .where('stream_id', '=', streamId),
    ]);
  };
  const share = async (stream: SharedStream, asked: { readonly untilMs: number }) => {
    const ended = new AbortController();
    stream.channel.watch(ended.signal);
    try {
      for (let last: ShownFrame | null = null; asked.untilMs > clock(); ) {
        const frame: ShownFrame | null = await stream.channel.next(last, lookMs, signal);
        if (signal.aborted || stream.channel.hasEnded) return;
        if (frame === null) continue;
        last = frame;
        await write(stream, frame).catch(onFailure);
        await sleep(shareEveryMs, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      ended.abort();
      sharing.delete(stream.channel);
    }
  };
  const look = async () => {
    const now = clock();
    const asked = await query
      .selectFrom('stream_preview')
      .select(['account_id', 'stream_id', 'watched_until'])
      .execute();
    if (asked.some(({ watched_until }) => watched_until < now - forgetAfterMs))
      await database.write([
        query.deleteFrom('stream_preview').where('watched_until', '<', now - forgetAfterMs),
      ]);
    const streams = asked.length === 0 ? [] : running();
    for (const { account_id, stream_id, watched_until: untilMs } of asked) {
      const stream = streams.find(
        ({ accountId, streamId }) => accountId === account_id && streamId === stream_id,
      );
      if (stream === undefined || untilMs <= now) continue;
      const shared = sharing.get(stream.channel);
      if (shared) {
        shared.untilMs = untilMs;
        continue;
      }
      const wanted = { untilMs };
      sharing.set(stream.channel, wanted);
      void share(stream, wanted);
    }
  };

  while (!signal.aborted) {
    await look().catch(onFailure);
    await sleep(lookMs, undefined, { signal }).catch(() => undefined);
  }
}
