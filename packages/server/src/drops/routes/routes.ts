import type { ApiDeps, ApiScope } from '../../http/api/scope.js';
import { addDestinationTestRoute } from './destination-test.js';
import { addDropRecordRoutes } from './drops.js';
import { addEndedFileRoutes } from './ended-files.js';
import { addDropFileRoutes } from './files.js';

/** Everything on drops. */
export function addDropRoutes(
  app: ApiScope,
  deps: Pick<
    ApiDeps,
    'thumbnails' | 'dropStore' | 'chooseModel' | 'publicAddress' | 'settings' | 'shutdownSignal'
  >,
): void {
  addDropRecordRoutes(app, deps);
  addDestinationTestRoute(app, deps);
  addDropFileRoutes(app, deps);
  addEndedFileRoutes(app, deps);
}
