import { Readable } from 'node:stream';
import type { ServiceError } from '../../core/service-error.js';
import { frigateId, toUnix } from '../../streams/outputs/frigate/frigate-id.js';
import type { Track } from '../../streams/tracks.js';
import type { CompatAnswer } from '../common/compat-route.js';

export function toFrigateError({ code, entry, message }: ServiceError): CompatAnswer {
  const status = code === 'method_not_allowed' ? 404 : entry.http;
  return { status, body: { success: false, message: message || 'error' } };
}

/** Bytes in the place of JSON. */
export function sendBytes(mediaType: string, bytes: Uint8Array | string): CompatAnswer {
  const content = Buffer.from(bytes);
  return {
    body: null,
    content: {
      mediaType,
      sizeBytes: content.length,
      stream: Readable.from([content], { objectMode: false }),
    },
  };
}

/** An object as `/api/events` has it; boxes in fractions of the image: left, top, width, height. */
export function toFrigateEvent(track: Track, camera: string) {
  const { box, width, height } = track;
  const fractions = [
    box.x_min / width,
    box.y_min / height,
    (box.x_max - box.x_min) / width,
    (box.y_max - box.y_min) / height,
  ].map((value) => (Number.isFinite(value) ? Math.round(value * 1e6) / 1e6 : 0));
  return {
    id: frigateId(track.id, track.startedAt),
    camera,
    label: track.label,
    sub_label: track.person?.name ?? null,
    zones: track.enteredZones,
    start_time: toUnix(track.startedAt),
    end_time: track.endedAt === null ? null : toUnix(track.endedAt),
    has_clip: track.clipId !== null,
    has_snapshot: track.snapshotId !== null,
    top_score: track.topScore,
    false_positive: false,
    box: fractions,
    plus_id: null,
    retain_indefinitely: false,
    model_hash: null,
    detector_type: 'lynceus',
    model_type: null,
    thumbnail: '',
    data: {
      type: 'object',
      box: fractions,
      region: [0, 0, 1, 1],
      score: track.score,
      top_score: track.topScore,
      sub_label_score: track.person?.score ?? null,
      attributes: [],
    },
  };
}
