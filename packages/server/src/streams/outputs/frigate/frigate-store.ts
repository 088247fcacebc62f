import type { Database } from '../../../storage/database.js';
import type { Page } from '../../../storage/page.js';
import type { SeenFilter } from '../../seen-filter.js';
import type { Track, TrackPosition, Tracks } from '../../tracks.js';
import { type Camera, readCameras } from '../read-cameras.js';
import { frigateId, startOfFrigateId } from './frigate-id.js';

/** What clients of Frigate ask for that is not another's already: cameras by name, objects by Frigate's ids. */
export interface FrigateStore {
  /** The oldest first. */
  cameras(accountId: number): Promise<readonly Camera[]>;
  /** Null where there is none. */
  findTrack(accountId: number, id: string): Promise<Track | null>;
  /** The newest first, at most so many that match. */
  listTracks(
    accountId: number,
    filter: SeenFilter,
    matches: (track: Track) => boolean,
    limit: number,
  ): Promise<readonly Track[]>;
  /** Below which messages of Frigate are published for the account; null where they are not. */
  topicPrefix(accountId: number): Promise<string | null>;
}

interface FrigateStoreDeps {
  readonly database: Pick<Database, 'query'>;
  readonly tracks: Pick<Tracks, 'list'>;
  readonly topicPrefix: FrigateStore['topicPrefix'];
}

const pageSize = 200;
/** Rows that are looked at for one answer: what a filter leaves out costs as much as what it finds. */
const maxLookedAt = 5000;

export function createFrigateStore({ database, tracks, topicPrefix }: FrigateStoreDeps): FrigateStore {
  const listTracks: FrigateStore['listTracks'] = async (accountId, filter, matches, limit) => {
    const found: Track[] = [];
    let after: TrackPosition | undefined;
    for (let lookedAt = 0; lookedAt < maxLookedAt && found.length < limit; lookedAt += pageSize) {
      const page: Page<Track, TrackPosition> = await tracks.list(accountId, filter, {
        limit: pageSize,
        after,
      });
      found.push(...page.items.filter(matches));
      if (page.next === null) break;
      after = page.next;
    }
    return found.slice(0, limit);
  };
  return {
    cameras: (accountId) => readCameras(database, accountId),
    listTracks,
    topicPrefix,
    async findTrack(accountId, id) {
      const startedAt = startOfFrigateId(id);
      if (startedAt === null) return null;
      const [found] = await listTracks(
        accountId,
        { fromMs: startedAt, beforeMs: startedAt + 1 },
        (track) => frigateId(track.id, track.startedAt) === id,
        1,
      );
      return found ?? null;
    },
  };
}
