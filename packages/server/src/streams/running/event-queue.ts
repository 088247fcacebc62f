import type { TrackEvent, TrackState } from '../tracking/track-state.js';
import type { RecordedTrack, SeenIn, WrittenFile } from './event-units.js';

/** A track whose events are recorded. */
export interface FollowedTrack {
  recorded: RecordedTrack;
  /** As of its last event. */
  last: TrackState;
  /** Of the frame of its last event, in pixels. */
  size: { readonly width: number; readonly height: number };
  /** Its best look, until that is in a file. */
  best: BestLook | null;
  /** The user deleted it, or its person: nothing of it is written any more. */
  isGone: boolean;
}

interface BestLook {
  /** Null where the frame could not be encoded. */
  readonly jpeg: Promise<Uint8Array | null>;
  readonly seenIn: SeenIn;
}

export interface QueuedEvent {
  readonly track: FollowedTrack;
  readonly event: TrackEvent;
  /** Of the frame, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly clip?: WrittenFile;
  /** Called once: whether it was written. */
  readonly onDone?: (isWritten: boolean) => void;
}

/**
 * Events that are not written yet, in their order.
 * Bounded while nothing can be written: an update takes the place of one before it, and of more than `maxEvents` the oldest are left
 * out that are neither start nor end.
 */
export function createEventQueue(maxEvents = 2000) {
  let events: QueuedEvent[] = [];
  let isFirstBegun = false;
  const remove = (at: number) => {
    const [removed] = at < 0 ? [] : events.splice(at, 1);
    removed?.onDone?.(false);
  };
  /** From the second on, where the first is being written. */
  const find = (matches: (queued: QueuedEvent) => boolean) =>
    events.findIndex((queued, at) => (at > 0 || !isFirstBegun) && matches(queued));

  return {
    get length(): number {
      return events.length;
    },
    add(queued: QueuedEvent) {
      if (isPlainUpdate(queued)) {
        const at = events.findLastIndex(({ track }) => track === queued.track);
        const last = events[at];
        if (last && isPlainUpdate(last) && (at > 0 || !isFirstBegun)) remove(at);
      }
      events.push(queued);
      if (events.length > maxEvents)
        remove(find(({ event }) => event.kind !== 'start' && event.kind !== 'end'));
    },
    /** The first, which from then on stays as it is until it is removed. */
    begin(): QueuedEvent | undefined {
      isFirstBegun = events.length > 0;
      return events[0];
    },
    removeFirst() {
      events.shift();
      isFirstBegun = false;
    },
    clear() {
      const left = events;
      events = [];
      isFirstBegun = false;
      for (const { onDone } of left) onDone?.(false);
    },
  };
}

function isPlainUpdate({ event, clip }: QueuedEvent): boolean {
  return event.kind === 'update' && clip === undefined;
}
