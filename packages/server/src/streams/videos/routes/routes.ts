import type { ApiScope } from '../../../http/api/scope.js';
import { type AddingDeps, addVideoAddingRoute } from './adding.js';
import { addVideoFileRoutes } from './files.js';
import { addTimelineRoute } from './timeline.js';
import { addVideoRecordRoutes } from './videos.js';

/** Everything on videos. */
export function addVideoRoutes(app: ApiScope, deps: AddingDeps): void {
  addVideoRecordRoutes(app, deps);
  addTimelineRoute(app, deps);
  addVideoFileRoutes(app, deps);
  addVideoAddingRoute(app, deps);
}
