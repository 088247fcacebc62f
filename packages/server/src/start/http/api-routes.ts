import type { FastifyInstance } from 'fastify';
import type { CompatListenerDeps } from '../../compat/routes.js';
import { addCompatListenerRoutes } from '../../compat/routes.js';
import type { DropDeps } from '../../drops/routes/deps.js';
import { addDropRoutes } from '../../drops/routes/routes.js';
import type { FaceDeps } from '../../faces/routes/deps.js';
import { addFaceDatabaseRoutes } from '../../faces/routes/routes.js';
import { addAccountRoutes } from '../../http/api/account.js';
import { addAccountDeletionRoutes } from '../../http/api/admin/account-deletions.js';
import { addAdminAccountRoutes } from '../../http/api/admin/accounts.js';
import { addAdminServiceRoutes } from '../../http/api/admin/service.js';
import { addAdminSweepRoutes } from '../../http/api/admin/sweeps.js';
import { addAdminUserRoutes } from '../../http/api/admin/users.js';
import { addApiScope } from '../../http/api/api-scope.js';
import { addAuditRoutes } from '../../http/api/audit/audit.js';
import { addBuiltInRoute } from '../../http/api/built-in-models.js';
import { addFileRoutes } from '../../http/api/files.js';
import { addJobRoutes } from '../../http/api/jobs.js';
import { addKeyRoutes } from '../../http/api/keys.js';
import { addInvitationRoutes } from '../../http/api/members/invitations.js';
import { addMemberRoutes } from '../../http/api/members/members.js';
import { addPreviewRoute } from '../../http/api/preview.js';
import { addLinkRoutes } from '../../http/api/session/links.js';
import { addOwnUserRoutes } from '../../http/api/session/own-user.js';
import { addSessionRoutes } from '../../http/api/session/session.js';
import { addSignInRoutes } from '../../http/api/session/sign-in.js';
import { addUploadRoutes } from '../../http/api/upload.js';
import { addUsageRoutes } from '../../http/api/usage.js';
import type { LiveDeps } from '../../live/routes.js';
import { addEventRoutes } from '../../live/routes.js';
import type { OutputDeps } from '../../streams/outputs/routes/deps.js';
import { addStreamOutputRoutes } from '../../streams/outputs/routes/routes.js';
import type { StreamDeps } from '../../streams/routes/deps.js';
import { addStreamRoutes } from '../../streams/routes/routes.js';
import type { VideoDeps } from '../../streams/videos/routes/deps.js';
import { addVideoRoutes } from '../../streams/videos/routes/routes.js';
import type { DatasetDeps } from '../../training/datasets/routes/deps.js';
import { addDatasetRoutes } from '../../training/datasets/routes/routes.js';
import type { ModelDeps } from '../../training/models/routes/deps.js';
import { addModelRoutes } from '../../training/models/routes/routes.js';

/** What the routes of all features are given. */
export type AllApiDeps = CompatListenerDeps &
  DropDeps &
  FaceDeps &
  LiveDeps &
  OutputDeps &
  StreamDeps &
  VideoDeps &
  DatasetDeps &
  ModelDeps;

/** All routes of the management API. */
export function addApiRoutes(app: FastifyInstance, deps: AllApiDeps): void {
  addApiScope(app, deps, {
    addOpen(scope) {
      addSignInRoutes(scope, deps);
      addLinkRoutes(scope, deps);
    },
    addOwn(scope) {
      addSessionRoutes(scope, deps);
      addOwnUserRoutes(scope, deps);
      addMemberRoutes(scope, deps);
      addInvitationRoutes(scope, deps);
      addAuditRoutes(scope, deps);
      addAdminAccountRoutes(scope, deps);
      addAccountDeletionRoutes(scope, deps);
      addAdminUserRoutes(scope, deps);
      addAdminServiceRoutes(scope, deps);
      addAdminSweepRoutes(scope, deps);
      addCompatListenerRoutes(scope, deps);
      addBuiltInRoute(scope, deps);
      addFileRoutes(scope, deps);
      addUploadRoutes(scope, (uploads) => addPreviewRoute(uploads, deps));
      addKeyRoutes(scope, deps);
      addUsageRoutes(scope, deps);
      addAccountRoutes(scope, deps);
      addFaceDatabaseRoutes(scope, deps);
      addDatasetRoutes(scope, deps);
      addModelRoutes(scope, deps);
      addDropRoutes(scope, deps);
      addStreamRoutes(scope, deps);
      addStreamOutputRoutes(scope, deps);
      addVideoRoutes(scope, deps);
      addJobRoutes(scope, deps);
      addEventRoutes(scope, deps);
    },
  });
}
