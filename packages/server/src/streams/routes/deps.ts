import type { ApiDeps } from '../../http/api/scope.js';
import type { RunningStreams } from '../running/open-running.js';
import type { StreamStore } from '../stream-store.js';

export interface StreamDeps extends ApiDeps {
  readonly streamStore: StreamStore;
  readonly runningStreams: Pick<RunningStreams, 'previews'>;
}
