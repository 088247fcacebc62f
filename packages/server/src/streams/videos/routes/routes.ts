import type { ApiScope } from '../../../http/api/scope.js';
import { addVideoAddingRoute } from './adding.js';
import type { VideoDeps } from './deps.js';
import { addVideoFileRoutes } from './files.js';
import { addTimelineRoute } from './timeline.js';
import { addVideoRecordRoutes } from './videos.js';

/** Everything on videos. */
export function addVideoRoutes(app: ApiScope, deps: VideoDeps): void {
  addVideoRecordRoutes(app, deps);
  addTimelineRoute(app, deps);
  addVideoFileRoutes(app, deps);
  addVideoAddingRoute(app, deps);
}
