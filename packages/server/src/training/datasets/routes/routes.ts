import { addUploadRoutes, type UploadDeps } from '../../../http/api/upload.js';
import type { ApiDeps, ApiScope } from '../../../http/api/scope.js';
import { addFetchingRoute, addUploadingRoute } from './adding.js';
import { addCheckRoutes } from './check.js';
import { addClassRoutes } from './classes.js';
import { addDatasetRecordRoutes } from './datasets.js';
import { addImageRoutes } from './images.js';
import { addSuggestionRoute } from './suggestions.js';
import { addExportRoute, addImportFindingsRoute, addImportRoute } from './transfer.js';

/** Everything on datasets. */
export function addDatasetRoutes(
  app: ApiScope,
  deps: Pick<
    ApiDeps,
    'thumbnails' | 'datasets' | 'suggestLabels' | 'imports' | 'jobs' | 'importDatasets' | 'readImportFindings'
  > &
    UploadDeps,
): void {
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
