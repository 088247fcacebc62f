import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../core/clock.js';
import type { Database } from '../../storage/database.js';
import { type DrawFrameDeps, drawFrame } from './draw-frame.js';
import { createFrameChannel, type FrameChannel } from './frame-channel.js';
import { readShared } from './shared-result.js';
import { drawOnce } from './shown-frame.js';

interface RemotePreviewDeps extends DrawFrameDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly clock: Clock;
  readonly streamId: number;
  readonly onFailure: (error: unknown) => void;
  /** Called when nobody watches any more. */
  readonly onIdle: () => void;
}

/** Whoever runs the stream shares frames until then, unless it is asked for again. */
const askedForMs = 10_000;
const askAgainMs = 3000;
const lookMs = 300;

/** Frames of a stream that another service runs: it is asked for them in the stream's row of previews, while somebody watches. */
export function createRemotePreview(deps: RemotePreviewDeps): FrameChannel {
  const { database, clock, accountId, streamId, onFailure, onIdle } = deps;
  const { query } = database;
  const ofStream = { account_id: accountId, stream_id: streamId };
  let looking: AbortController | null = null;
  let index = 0;
  let shownAt: number | null = null;

  const ask = async () => {
    const watched = { watched_until: clock() + askedForMs };
    await database.write([
      query
        .insertInto('stream_preview')
        .values({ ...ofStream, ...watched, at: null, jpeg: null, result: null })
        .onConflict((conflict) => conflict.columns(['account_id', 'stream_id']).doUpdateSet(watched)),
    ]);
  };
  const look = async () => {
    const row = await query
      .selectFrom('stream_preview')
      .select(['at', 'jpeg', 'result'])
      .where(({ and }) => and(ofStream))
      .where('at', '>', shownAt ?? 0)
      .executeTakeFirst();
    if (row?.at == null || row.jpeg === null || row.result === null) return;
    const { at, jpeg } = row;
    const shared = readShared(row.result);
    const source = { kind: 'bytes', bytes: jpeg } as const;
    shownAt = at;
    index += 1;
    channel.show({
      ...{ index, atMs: at, ...shared },
      toJpeg: drawOnce((options) => drawFrame(deps, source, shared.marks, options)),
    });
  };
  const keepLooking = async (signal: AbortSignal) => {
    let askedMs = Number.NEGATIVE_INFINITY;
    while (!signal.aborted && !channel.hasEnded) {
      try {
        if (performance.now() - askedMs > askAgainMs) {
          askedMs = performance.now();
          await ask();
        }
        await look();
      } catch (error) {
        onFailure(error);
      }
      await sleep(lookMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const channel = createFrameChannel((watchers) => {
    if (watchers === 0) {
      looking?.abort();
      looking = null;
      onIdle();
    } else if (looking === null) {
      looking = new AbortController();
      void keepLooking(looking.signal);
    }
  });
  return channel;
}
