import { addUploadRoutes, type UploadDeps } from '../../../http/api/upload.js';
import type { ApiDeps, ApiScope } from '../../../http/api/scope.js';
import { addComparisonRoute } from './comparisons.js';
import { addModelRecordRoutes } from './models.js';
import { addReportPageRoute } from './report-page.js';
import { addRunRoutes } from './runs.js';
import { addChangingVersionRoute, addUploadingVersionRoute } from './upload.js';
import { addVersionRoutes } from './versions.js';

/** Everything on models that customers made. */
export function addModelRoutes(
  app: ApiScope,
  deps: Pick<ApiDeps, 'customModels' | 'modelWork' | 'uploadVersion' | 'jobs' | 'leases'> & UploadDeps,
): void {
  addModelRecordRoutes(app, deps);
  addVersionRoutes(app, deps);
  addRunRoutes(app, deps);
  addReportPageRoute(app, deps);
  addComparisonRoute(app, deps);
  addChangingVersionRoute(app, deps);
  addUploadRoutes(app, (uploads) => addUploadingVersionRoute(uploads, deps));
}
