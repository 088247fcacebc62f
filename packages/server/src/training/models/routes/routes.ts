import type { ApiScope } from '../../../http/api/scope.js';
import { addUploadRoutes } from '../../../http/api/upload.js';
import { addComparisonRoute } from './comparisons.js';
import type { ModelDeps } from './deps.js';
import { addModelRecordRoutes } from './models.js';
import { addReportPageRoute } from './report-page.js';
import { addRunRoutes } from './runs.js';
import { addChangingVersionRoute, addUploadingVersionRoute } from './upload.js';
import { addVersionRoutes } from './versions.js';

/** Everything on models that customers made. */
export function addModelRoutes(app: ApiScope, deps: ModelDeps): void {
  addModelRecordRoutes(app, deps);
  addVersionRoutes(app, deps);
  addRunRoutes(app, deps);
  addReportPageRoute(app, deps);
  addComparisonRoute(app, deps);
  addChangingVersionRoute(app, deps);
  addUploadRoutes(app, (uploads) => addUploadingVersionRoute(uploads, deps));
}
