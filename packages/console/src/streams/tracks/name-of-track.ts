import type { StreamTrack } from '@lynceus/client';

/** The person, where the stream names people; else the class. */
export function nameOfTrack({ person, label }: Pick<StreamTrack, 'person' | 'label'>): string {
  return person?.name ?? label;
}
