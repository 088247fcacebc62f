import type { Readable } from 'node:stream';
import type { People } from '../../../faces/people.js';
import type { VideoInfo } from '../video.js';
import type { Interval, TimelineSummary, TimelineTrack } from './timeline.js';
import { readTimelineLines } from './timeline-lines.js';

interface ShownPerson {
  readonly id: number;
  readonly name: string;
}

/** A track with the name of its person; one of a person who was deleted has neither name nor thumbnail. */
export interface ShownTrack extends Omit<TimelineTrack, 'person'> {
  readonly person: (ShownPerson & { readonly score: number }) | null;
}

export interface ShownTimeline extends Omit<TimelineSummary, 'people'> {
  readonly video: VideoInfo;
  readonly people: readonly { readonly person: ShownPerson; readonly intervals: readonly Interval[] }[];
  readonly tracks: AsyncIterable<ShownTrack>;
  /** Reads no further; after the end too. */
  close(): void;
}

/** Parameters of one query, at most. */
const idsOfQuery = 500;

/** A timeline as it may be shown now: with the names that people have, and without those who are there no longer. */
export async function showTimeline(
  { people }: { readonly people: Pick<People, 'named'> },
  accountId: number,
  { info, file }: { readonly info: VideoInfo; readonly file: Readable },
): Promise<ShownTimeline> {
  const { summary, tracks, close } = await readTimelineLines(file);
  const names = await readNames(
    people,
    accountId,
    summary.people.map(({ id }) => id),
  ).catch((error: unknown) => {
    close();
    throw error;
  });
  return {
    ...summary,
    video: info,
    people: summary.people.flatMap(({ id, intervals }) => {
      const person = names.get(id);
      return person ? [{ person, intervals }] : [];
    }),
    tracks: showTracks(tracks, names),
    close,
  };
}

async function readNames(
  people: Pick<People, 'named'>,
  accountId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ShownPerson>> {
  const names = new Map<number, ShownPerson>();
  for (let at = 0; at < ids.length; at += idsOfQuery) {
    const found = await people.named(accountId, ids.slice(at, at + idsOfQuery));
    for (const { id, name } of found.values()) names.set(id, { id, name });
  }
  return names;
}

async function* showTracks(
  tracks: AsyncIterable<TimelineTrack>,
  names: ReadonlyMap<number, ShownPerson>,
): AsyncGenerator<ShownTrack> {
  for await (const { person: seen, ...track } of tracks) {
    const person = seen && names.get(seen.id);
    yield {
      ...track,
      person: seen && person ? { ...person, score: seen.score } : null,
      thumbnailId: seen && !person ? null : track.thumbnailId,
    };
  }
}
