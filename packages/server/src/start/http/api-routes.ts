import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { createRequestSignal } from '../../http/common/request-signal.js';
import { addAccountRoutes } from '../../http/api/account.js';
import { addAccountDeletionRoutes } from '../../http/api/admin/account-deletions.js';
import { addAdminAccountRoutes } from '../../http/api/admin/accounts.js';
import { addCompatListenerRoutes } from '../../compat/routes.js';
import { addAdminServiceRoutes } from '../../http/api/admin/service.js';
import { addAdminSweepRoutes } from '../../http/api/admin/sweeps.js';
import { addAdminUserRoutes } from '../../http/api/admin/users.js';
import { addAuditRoutes } from '../../http/api/audit/audit.js';
import { auditChanges, requireAudit } from '../../http/api/audit/write-audit.js';
import { compileCheck } from '../../http/api/check-request.js';
import { requireCredential } from '../../http/api/credential.js';
import { addDatasetRoutes } from '../../training/datasets/routes/routes.js';
import { addDropRoutes } from '../../drops/routes/routes.js';
import { createEventStreams } from '../../http/api/event-streams.js';
import { addEventRoutes } from '../../live/routes.js';
import { addFileRoutes } from '../../http/api/files.js';
import { addJobRoutes } from '../../http/api/jobs.js';
import { addKeyRoutes } from '../../http/api/keys.js';
import { addInvitationRoutes } from '../../http/api/members/invitations.js';
import { addMemberRoutes } from '../../http/api/members/members.js';
import { addBuiltInRoute } from '../../http/api/built-in-models.js';
import { addModelRoutes } from '../../training/models/routes/routes.js';
import { addFaceDatabaseRoutes } from '../../faces/routes/routes.js';
import { addUploadRoutes } from '../../http/api/upload.js';
import { changes, permit, requireRights } from '../../http/api/permit.js';
import { addPreviewRoute } from '../../http/api/preview.js';
import { readJsonBodies } from '../../http/api/read-json.js';
import { completeRoutes } from '../../http/api/route-defaults.js';
import type { ApiDeps, ApiScope } from '../../http/api/scope.js';
import { readDeviceCookie } from '../../http/api/session/cookie.js';
import { addLinkRoutes } from '../../http/api/session/links.js';
import { addOwnUserRoutes } from '../../http/api/session/own-user.js';
import { checkSameOrigin } from '../../http/api/session/same-origin.js';
import { addSessionRoutes } from '../../http/api/session/session.js';
import { addSignInRoutes } from '../../http/api/session/sign-in.js';
import { addStreamOutputRoutes } from '../../streams/outputs/routes/routes.js';
import { addStreamRoutes } from '../../streams/routes/routes.js';
import { addUsageRoutes } from '../../http/api/usage.js';
import { addVideoRoutes } from '../../streams/videos/routes/routes.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False: the CORS plugin leaves the route alone; else what is another than elsewhere. It reads this, but does not declare it. */
    cors?: false | { readonly methods: string };
  }
}

/**
 * The management API, in a scope of its own: JSON bodies, schemas, a key or a session as credential. No page of another
 * origin reads it: a key that manages an account has no business in a page, and the web account is of our own origin.
 */
export function addApiRoutes(app: FastifyInstance, deps: ApiDeps): void {
  // What the rest of the service answers to a browser's question beforehand is not true here.
  app.options('/api/*', { config: { cors: false } }, (_request, reply) => reply.callNotFound());
  app.register(
    async (scope) => {
      readJsonBodies(scope);
      scope.setValidatorCompiler(compileCheck);
      scope.decorateRequest('signedIn', undefined);
      scope.decorateRequest('viewToken', undefined);
      requireRights(scope);
      requireAudit(scope);
      completeRoutes(scope);
      scope.addHook('onRoute', (route) => {
        route.config = { ...route.config, cors: false };
      });
      scope.addHook('onRequest', async (_request, reply) => {
        // Pages of other origins do not show its images either, of whatever site.
        reply.header('cross-origin-resource-policy', 'same-origin');
      });
      scope.addHook('onRequest', (request) => deps.rateLimits.checkAddress(request));
      scope.addHook('onRequest', (request, reply) =>
        deps.requestTurns.take(request, createRequestSignal(reply, deps)),
      );
      await scope.register(async (open) => addOpenRoutes(open.withTypeProvider<TypeBoxTypeProvider>(), deps));
      await scope.register(async (own) => addOwnRoutes(own.withTypeProvider<TypeBoxTypeProvider>(), deps));
    },
    { prefix: '/api' },
  );
}

/** For callers who are not known yet. */
function addOpenRoutes(scope: ApiScope, deps: ApiDeps): void {
  scope.addHook('onRequest', async (request) => {
    await deps.rateLimits.checkOpen(request, deps.users.devices.isOurs(readDeviceCookie(request, deps)));
    // No page of another origin signs a user in.
    if (changes(request.method)) checkSameOrigin(request, deps.publicAddress);
  });
  addSignInRoutes(scope, deps);
  addLinkRoutes(scope, deps);
}

/** For callers with a key or a session. */
function addOwnRoutes(scope: ApiScope, ownDeps: ApiDeps): void {
  const eventStreams = createEventStreams(ownDeps.settings);
  const deps = { ...ownDeps, eventStreams };
  // A client that follows events would otherwise keep the service from stopping.
  scope.addHook('preClose', async () => eventStreams.stop());
  scope.addHook('onRequest', requireCredential(deps));
  scope.addHook('onRequest', (request) => deps.rateLimits.checkKey(request));
  scope.addHook('onRequest', async (request) => permit(request));
  // The body came after that, perhaps a minute after: what was taken away meanwhile is not used any more.
  scope.addHook('preHandler', async (request) => {
    if (changes(request.method)) await request.requireAccess();
  });
  auditChanges(scope, deps);

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
}
