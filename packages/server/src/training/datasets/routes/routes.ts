import type { ApiScope } from '../../../http/api/scope.js';
import { addUploadRoutes } from '../../../http/api/upload.js';
import { addFetchingRoute, addUploadingRoute } from './adding.js';
import { addCheckRoutes } from './check.js';
import { addClassRoutes } from './classes.js';
import { addDatasetRecordRoutes } from './datasets.js';
import type { DatasetDeps } from './deps.js';
import { addImageRoutes } from './images.js';
import { addSuggestionRoute } from './suggestions.js';
import { addExportRoute, addImportFindingsRoute, addImportRoute } from './transfer.js';

/** Everything on datasets. */
export function addDatasetRoutes(app: ApiScope, deps: DatasetDeps): void {
  addDatasetRecordRoutes(app, deps);
  addClassRoutes(app, deps);
  addImageRoutes(app, deps);
  addSuggestionRoute(app, deps);
  addFetchingRoute(app, deps);
  addCheckRoutes(app, deps);
  addExportRoute(app, deps);
  addImportFindingsRoute(app, deps);
  addUploadRoutes(app, (uploads) => {
    addUploadingRoute(uploads, deps);
    addImportRoute(uploads, deps);
  });
}
