import type { ApiScope } from '../../http/api/scope.js';
import type { DropDeps } from './deps.js';
import { addDestinationTestRoute } from './destination-test.js';
import { addDropRecordRoutes } from './drops.js';
import { addEndedFileRoutes } from './ended-files.js';
import { addDropFileRoutes } from './files.js';

/** Everything on drops. */
export function addDropRoutes(app: ApiScope, deps: DropDeps): void {
  addDropRecordRoutes(app, deps);
  addDestinationTestRoute(app, deps);
  addDropFileRoutes(app, deps);
  addEndedFileRoutes(app, deps);
}
