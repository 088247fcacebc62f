import { addUploadRoutes, type UploadDeps } from '../perceptions/upload.js';
import type { ApiDeps, ApiScope } from '../scope.js';
import { addModelRecordRoutes } from './models.js';
import { addChangingVersionRoute, addUploadingVersionRoute } from './upload.js';
import { addVersionRoutes } from './versions.js';

/** Everything on models that customers made. */
export function addModelRoutes(
  app: ApiScope,
  deps: Pick<ApiDeps, 'customModels' | 'uploadVersion'> & UploadDeps,
): void {
  addModelRecordRoutes(app, deps);
  addVersionRoutes(app, deps);
  addChangingVersionRoute(app, deps);
  addUploadRoutes(app, (uploads) => addUploadingVersionRoute(uploads, deps));
}
