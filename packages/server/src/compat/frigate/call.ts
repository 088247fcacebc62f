import { ServiceError } from '../../core/service-error.js';
import type { FrigateStore } from '../../streams/outputs/frigate/frigate-store.js';
import type { Camera } from '../../streams/outputs/read-cameras.js';
import type { RunningStreams } from '../../streams/running/open-running.js';
import type { StreamStore } from '../../streams/stream-store.js';
import type { Track } from '../../streams/tracks.js';
import { type CompatDeps, type CompatRequest, identifyCompat } from '../common/compat-route.js';
import type { CompatAccess } from '../compat-keys.js';

/** What the adapter depends on. */
export interface FrigateDeps extends CompatDeps {
  readonly streamStore: Pick<StreamStore, 'trackFiles'>;
  readonly frigateStore: FrigateStore;
  readonly runningStreams: Pick<RunningStreams, 'previews'>;
}

/** Clients of Frigate send no key: they have that of the listener. Throws as `identifyCompat`. */
export async function accountOf(deps: CompatDeps, request: CompatRequest): Promise<number> {
  const { caller }: CompatAccess = await identifyCompat(request, undefined, 'frigate', deps);
  return caller.accountId;
}

/** Throws `not_found`. */
export async function findCamera(
  { frigateStore }: Pick<FrigateDeps, 'frigateStore'>,
  accountId: number,
  name: string | undefined,
): Promise<Camera> {
  const cameras = await frigateStore.cameras(accountId);
  const found = cameras.find(({ camera }) => camera === name?.toLowerCase());
  if (found) return found;
  throw new ServiceError('not_found', 'Camera not found');
}

/** The object of the event that a path names. Throws `not_found`. */
export async function findEvent(
  { frigateStore }: Pick<FrigateDeps, 'frigateStore'>,
  accountId: number,
  request: CompatRequest,
): Promise<Track> {
  const found = await frigateStore.findTrack(accountId, request.params['id'] ?? '');
  if (found) return found;
  throw new ServiceError('not_found', 'Event not found');
}
