import type { ApiDeps, ApiScope } from '../scope.js';
import { addStreamEventRoutes } from './events.js';
import { addStreamRecordRoutes } from './streams.js';
import { addTrackFileRoutes } from './track-files.js';
import { addStreamTrackRoutes } from './tracks.js';
import { addViewTokenRoutes } from './view-tokens.js';

/** Everything on streams. */
export function addStreamRoutes(
  app: ApiScope,
  deps: Pick<ApiDeps, 'streamStore' | 'settings' | 'shutdownSignal'>,
): void {
  addStreamRecordRoutes(app, deps);
  addViewTokenRoutes(app, deps);
  addStreamEventRoutes(app, deps);
  addStreamTrackRoutes(app, deps);
  addTrackFileRoutes(app, deps);
}
