import type { Clock } from '../core/clock.js';
import type { Database } from '../storage/database.js';
import type { StreamState } from '../storage/tables/streams.js';
import type { Stream } from './stream.js';

/** How a stream is doing. Times are milliseconds since 1970. */
export interface ShownState {
  readonly state: StreamState;
  /** For its owner; null while all is well. */
  readonly reason: string | null;
  readonly since: number;
  /** Frames that are analysed in a second. */
  readonly fps: number;
  /** Of the frames, in pixels. */
  readonly width: number | null;
  readonly height: number | null;
  readonly lastFrameAt: number | null;
}

/** The service that runs a stream writes its state every few seconds. */
const silentAfterMs = 60_000;

export type StreamStates = ReturnType<typeof createStreamStates>;

export function createStreamStates({
  database: { query },
  clock,
}: {
  readonly database: Pick<Database, 'query'>;
  readonly clock: Clock;
}) {
  return {
    /** By id. */
    async read(
      accountId: number,
      streams: readonly Pick<Stream, 'id' | 'isEnabled' | 'createdAt'>[],
    ): Promise<ReadonlyMap<number, ShownState>> {
      if (streams.length === 0) return new Map();
      const rows = await query
        .selectFrom('stream_state')
        .selectAll()
        .where('account_id', '=', accountId)
        .where(
          'stream_id',
          'in',
          streams.map(({ id }) => id),
        )
        .execute();
      const byId = new Map(rows.map((row) => [row.stream_id, row]));
      const now = clock();
      return new Map(
        streams.map(({ id, isEnabled, createdAt }): [number, ShownState] => {
          const row = byId.get(id);
          const lastFrameAt = row?.last_frame_at ?? null;
          const size = { width: row?.width ?? null, height: row?.height ?? null, lastFrameAt };
          const stopped = (reason: string, since: number) =>
            ({ state: 'stopped', reason, since, fps: 0, ...size }) as const;
          if (!isEnabled) return [id, stopped('the stream is switched off', row?.since ?? createdAt)];
          if (row && row.updated_at > now - silentAfterMs) {
            const { state, reason, since } = row;
            return [id, { state, reason, since, fps: row.analysed_millifps / 1000, ...size }];
          }
          const isNew = (row?.updated_at ?? createdAt) > now - silentAfterMs;
          return isNew
            ? [id, { ...stopped('', createdAt), state: 'connecting', reason: null }]
            : [id, stopped('no service runs this stream', row?.updated_at ?? createdAt)];
        }),
      );
    },
  };
}
