import { setTimeout as sleep } from 'node:timers/promises';
import { countUp } from '../../storage/count-up.js';
import type { Database } from '../../storage/database.js';
import { roundScore, type StreamEventData } from '../event-data.js';
import type { SceneText } from '../tracking/track-state.js';
import { insertEvent, toIso } from './event-units.js';
import type { StreamHold } from './hold-stream.js';
import type { RecordedEvent } from './record-events.js';

/** Writes texts that were read on no object, as events without a track. */
export type TextRecorder = ReturnType<typeof createTextRecorder>;

export interface TextFrame {
  readonly atMs: number;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

interface RecordTextsDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly hold: Pick<StreamHold, 'fence' | 'lost'>;
  readonly stream: { readonly accountId: number; readonly streamId: number };
  readonly onRecorded: (event: RecordedEvent) => void;
  readonly onFailure: (error: unknown, message: string) => void;
}

/** While the database is away, the oldest are left out. */
const maxWaiting = 100;
const attempts = 5;
const againMs = 2000;

export function createTextRecorder(deps: RecordTextsDeps) {
  const { database, hold, stream, onRecorded, onFailure } = deps;
  const closing = new AbortController();
  const signal = AbortSignal.any([closing.signal, hold.lost]);
  let waiting: (TextFrame & { readonly data: StreamEventData })[] = [];
  let writing: Promise<void> | undefined;

  const write = async ({ atMs, data }: { readonly atMs: number; readonly data: StreamEventData }) => {
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        const event = insertEvent(database, { ...stream, kind: 'text_read', atMs, data });
        await database.write([countUp(database, stream.accountId, 'stream_event'), event, ...hold.fence()]);
        return onRecorded({ ...stream, kind: 'text_read', data });
      } catch (error) {
        if (attempt === attempts) return onFailure(error, 'a text of a stream could not be written');
        await sleep(againMs, undefined, { signal }).catch(() => undefined);
      }
    }
  };
  const writeAll = async () => {
    for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) await write(next);
    writing = undefined;
  };

  return {
    /** Waits for nothing. */
    record(texts: readonly SceneText[], frame: TextFrame) {
      if (signal.aborted || texts.length === 0) return;
      waiting = [...waiting, ...texts.map((text) => ({ ...frame, data: toData(text, frame) }))].slice(
        -maxWaiting,
      );
      writing ??= writeAll();
    },
    /** Resolves when all that was recorded is written or given up. */
    flush: async () => writing,
    close: () => closing.abort(),
  };
}

function toData({ text, score }: SceneText, { atMs, width, height }: TextFrame): StreamEventData {
  const at = toIso(atMs);
  return {
    ...{ track_id: null, label: '', score: roundScore(score), top_score: roundScore(score) },
    ...{ box: { x_min: 0, y_min: 0, x_max: width, y_max: height }, width, height },
    ...{ velocity: { x: 0, y: 0 }, stationary: true, current_zones: [], entered_zones: [], person: null },
    ...{ texts: [text], text, started_at: at, last_seen_at: at, ended_at: at },
    ...{ has_snapshot: false, has_clip: false },
  };
}
