import type { StreamEventData } from '../event-data.js';
import type { OutputSettings } from './output-settings.js';
import type { OutgoingEvent } from './read-events.js';

/** An event as webhooks and topics carry it: as the API answers it, and where it is from. */
interface EventMessage extends StreamEventData {
  /** The same wherever and however often the event is sent: UID of the stream and number of the event. */
  readonly id: string;
  readonly seq: number;
  readonly kind: OutgoingEvent['kind'];
  /** ISO 8601. */
  readonly at: string;
  readonly stream_id: number;
  readonly stream_uid: string;
  readonly stream_name: string;
  /** A path of the service, read with a key of the account; null where there is no image. */
  readonly snapshot_url: string | null;
}

export function toMessage(event: OutgoingEvent): EventMessage {
  const { seq, kind, trackId, snapshotId, data } = event;
  const hasImage = trackId !== null && snapshotId !== null;
  return {
    id: eventId(event),
    seq,
    kind,
    at: new Date(event.at).toISOString(),
    stream_id: event.streamId,
    stream_uid: event.streamUid,
    stream_name: event.streamName,
    ...data,
    snapshot_url: hasImage ? `/api/stream-tracks/${trackId}/snapshot.jpg` : null,
  };
}

export function eventId({ streamUid, seq }: Pick<OutgoingEvent, 'streamUid' | 'seq'>): string {
  return `${streamUid}/${seq}`;
}

/** Whether an event is for an output; an empty list is everything. */
export function isWanted(
  { streams, kinds, labels }: Pick<OutputSettings, 'streams' | 'kinds' | 'labels'>,
  event: Pick<OutgoingEvent, 'streamId' | 'kind' | 'data'>,
): boolean {
  return (
    includes(streams, event.streamId) && includes(kinds, event.kind) && includes(labels, event.data.label)
  );
}

function includes<T>(wanted: readonly T[], value: T): boolean {
  return wanted.length === 0 || wanted.includes(value);
}
