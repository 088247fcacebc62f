import { ownedUuid } from '../../storage/blobs/owned-id.js';
import type { StreamEventData } from '../event-data.js';
import type { Media } from '../media.js';
import type { TrackEvent } from '../tracking/track-state.js';
import { type CommitEventDeps, createCommitEvent, readRefused } from './commit-event.js';
import { createEventQueue, type FollowedTrack, type QueuedEvent } from './event-queue.js';
import { type EventToWrite, newTrack, type WrittenFile } from './event-units.js';
import type { StreamHold } from './hold-stream.js';

/** The frame that events were seen in. */
export interface EventFrame {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** As JPEG; null where it cannot be encoded. Called while the frame is there, or never. */
  encode(): Promise<Uint8Array | null>;
}

/** An event that is on disk. */
export interface RecordedEvent {
  readonly accountId: number;
  readonly streamId: number;
  readonly kind: TrackEvent['kind'];
  readonly data: StreamEventData;
}

/** Writes what happens to the tracks of a stream: one event after the other, each as one unit with its files. */
export type EventRecorder = ReturnType<typeof createEventRecorder>;

interface RecordEventsDeps extends Omit<CommitEventDeps, 'hold'> {
  readonly hold: Pick<StreamHold, 'fence' | 'isHeld' | 'lost'>;
  readonly media: Pick<Media, 'write' | 'files'>;
  readonly onRecorded: (event: RecordedEvent) => void;
}

/** With so many events that are not written, no more images are kept for them. */
const maxWithImages = 200;
/** What is reported to others with an image, beside updates that a better look gave; and the last event, which leaves the best one. */
const withSnapshot: ReadonlySet<TrackEvent['kind']> = new Set([
  'start',
  'person_recognised',
  'text_read',
  'end',
]);

export function createEventRecorder(deps: RecordEventsDeps) {
  const { database, hold, media, stream, onRecorded, onRefused, onFailure } = deps;
  const { accountId } = stream;
  const { query } = database;
  const commit = createCommitEvent(deps);
  const queue = createEventQueue();
  const tracks = new Map<number, FollowedTrack>();
  const closing = new AbortController();
  const signal = AbortSignal.any([closing.signal, hold.lost]);
  let pumping: Promise<void> | undefined;

  /** The best look so far as a file; null where there is none to write, or no room for it. */
  const writeSnapshot = async ({ track, event }: QueuedEvent): Promise<EventToWrite['snapshot'] | null> => {
    const { best, recorded } = track;
    if (best === null || !(event.isBest || withSnapshot.has(event.kind))) return null;
    track.best = null;
    try {
      const jpeg = await best.jpeg;
      if (jpeg === null) return null;
      const owner = { trackId: recorded.id };
      const written = await media.write(
        { accountId, kind: 'snapshot', owner, mediaType: 'image/jpeg' },
        only(jpeg),
      );
      return { ...written, seenIn: best.seenIn };
    } catch (error) {
      onFailure(error, 'a snapshot of a stream is left out');
      return null;
    }
  };
  const removeFile = (id: string) =>
    media.files
      .remove(id)
      .catch((error: unknown) => onFailure(error, 'a file of a stream is left to the sweep'));

  const writeOne = async (queued: QueuedEvent): Promise<void> => {
    const { track, event, onDone } = queued;
    if (track.isGone) return onDone?.(false);
    const before = track.recorded.snapshotId;
    const snapshot = await writeSnapshot(queued);
    const data = await commit(queued, snapshot ?? undefined, signal);
    const superseded = data === null ? snapshot?.id : snapshot && before;
    if (superseded) await removeFile(superseded);
    if (data !== null) onRecorded({ ...stream, kind: event.kind, data });
    onDone?.(data !== null);
  };
  const pump = async () => {
    for (let next = queue.begin(); next && !signal.aborted; next = queue.begin()) {
      await writeOne(next);
      queue.removeFirst();
    }
    if (signal.aborted) queue.clear();
    pumping = undefined;
  };
  const wake = () => {
    pumping ??= pump();
  };

  return {
    /** A track whose start was recorded and whose end was not. */
    find: (trackId: number): FollowedTrack | undefined => tracks.get(trackId),
    /** Waits for nothing. */
    record(events: readonly TrackEvent[], { width, height, encode }: EventFrame) {
      if (signal.aborted) return;
      let jpeg: Promise<Uint8Array | null> | undefined;
      for (const event of events) {
        const { id, box } = event.track;
        const track = tracks.get(id) ?? followTrack(accountId, event);
        tracks.set(id, track);
        track.last = event.track;
        track.size = { width, height };
        if (event.isBest && queue.length < maxWithImages) {
          // Nobody may wait for it: a later look takes its place.
          jpeg ??= encode().catch((error: unknown) => {
            onFailure(error, 'a snapshot of a stream is left out');
            return null;
          });
          track.best = { jpeg, seenIn: { box, width, height } };
        }
        queue.add({ track, event, width, height });
        // Another tracker may give its number to another track.
        if (event.kind === 'end') tracks.delete(id);
      }
      wake();
    },
    /** Its clip, also after its end. Answers whether the file is kept. */
    attachClip: (track: FollowedTrack, clip: WrittenFile, atMs: number): Promise<boolean> =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(false);
        const event: TrackEvent = { kind: 'update', atMs, track: track.last };
        queue.add({ track, event, ...track.size, clip, onDone: resolve });
        wake();
      }),
    /** Looks whether users took names from tracks, or deleted people who have tracks; `onRefused` hears of it. */
    async checkNames() {
      const named = [...tracks.values()].filter(
        ({ last, recorded }) => last.person && recorded.details !== null,
      );
      if (named.length === 0) return;
      const rows = await query
        .selectFrom('stream_track')
        .select(['id', 'details', 'deleted_at'])
        .where(
          'id',
          'in',
          named.map(({ recorded }) => recorded.id),
        )
        .execute();
      for (const track of named) {
        const { id, person } = track.last;
        const row = rows.find((each) => each.id === track.recorded.id);
        track.isGone ||= row === undefined || row.deleted_at !== null;
        const refused = row === undefined ? [] : readRefused(row.details);
        if (person && (track.isGone || refused.includes(person.personId))) onRefused(id, person.personId);
      }
    },
    /** Resolves when all that was recorded is written or given up. */
    flush: async () => pumping,
    /** What is not written yet is given up. */
    close() {
      closing.abort();
      wake();
    },
  };
}

function followTrack(accountId: number, { track }: TrackEvent): FollowedTrack {
  const size = { width: 0, height: 0 };
  return { recorded: newTrack(ownedUuid(accountId)), last: track, size, best: null, isGone: false };
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
