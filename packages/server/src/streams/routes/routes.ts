import type { ApiScope } from '../../http/api/scope.js';
import type { StreamDeps } from './deps.js';
import { addStreamEventRoutes } from './events.js';
import { addLiveRoutes } from './live.js';
import { addSourceTestRoutes } from './source-test.js';
import { addStreamRecordRoutes } from './streams.js';
import { addTrackFileRoutes } from './track-files.js';
import { addStreamTrackRoutes } from './tracks.js';
import { addViewTokenRoutes } from './view-tokens.js';

/** Everything on streams. */
export function addStreamRoutes(app: ApiScope, deps: StreamDeps): void {
  addStreamRecordRoutes(app, deps);
  addSourceTestRoutes(app, deps);
  addViewTokenRoutes(app, deps);
  addLiveRoutes(app, deps);
  addStreamEventRoutes(app, deps);
  addStreamTrackRoutes(app, deps);
  addTrackFileRoutes(app, deps);
}
