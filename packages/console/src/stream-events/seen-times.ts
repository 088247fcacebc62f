import type { StreamTrack } from '@lynceus/client';

/** How long an object was seen, in seconds. */
export function secondsSeen({ started_at, last_seen_at }: Pick<StreamTrack, 'started_at' | 'last_seen_at'>) {
  return Math.max(0, (Date.parse(last_seen_at) - Date.parse(started_at)) / 1000);
}

/** The name of a person, or else the class. */
export function nameOfTrack({ person, label }: Pick<StreamTrack, 'person' | 'label'>): string {
  return person?.name ?? label;
}
