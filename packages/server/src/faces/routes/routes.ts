import type { ApiScope } from '../../http/api/scope.js';
import { addUploadRoutes } from '../../http/api/upload.js';
import { addExportRoute, addImportRoute } from './archive.js';
import { addCalibrationRoutes } from './calibration.js';
import { addCorrectionRoutes, addDisputeRoutes } from './corrections.js';
import type { FaceDeps } from './deps.js';
import { addEmbedderRoutes } from './embedder.js';
import { addEnrolmentRoutes } from './enrolment.js';
import { addImageRoutes } from './images.js';
import { addPeopleRoutes } from './people.js';
import { addPerceptionRoutes } from './perceptions.js';
import { addReEmbedImageRoute } from './re-embed-image.js';
import { addRegroupingRoutes } from './regrouping.js';
import { addSearchRoutes } from './search.js';

/** Everything on faces that are known. */
export function addFaceDatabaseRoutes(app: ApiScope, deps: FaceDeps): void {
  addPerceptionRoutes(app, deps);
  addCalibrationRoutes(app, deps);
  addExportRoute(app, deps);
  addEmbedderRoutes(app, deps);
  addPeopleRoutes(app, deps);
  addRegroupingRoutes(app, deps);
  addImageRoutes(app, deps);
  addReEmbedImageRoute(app, deps);
  addCorrectionRoutes(app, deps);
  addUploadRoutes(app, (uploads) => {
    addEnrolmentRoutes(uploads, deps);
    addSearchRoutes(uploads, deps);
    addDisputeRoutes(uploads, deps);
    addImportRoute(uploads, deps);
  });
}
