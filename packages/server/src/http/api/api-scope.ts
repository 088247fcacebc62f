import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { createRequestSignal } from '../common/request-signal.js';
import { auditChanges, requireAudit } from './audit/write-audit.js';
import { compileCheck } from './check-request.js';
import { requireCredential } from './credential.js';
import { changes, permit, requireRights } from './permit.js';
import { readJsonBodies } from './read-json.js';
import { completeRoutes } from './route-defaults.js';
import type { ApiDeps, ApiScope } from './scope.js';
import { readDeviceCookie } from './session/cookie.js';
import { checkSameOrigin } from './session/same-origin.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False: the CORS plugin leaves the route alone; else what is another than elsewhere. It reads this, but does not declare it. */
    cors?: false | { readonly methods: string };
  }
}

interface ApiRoutes {
  /** Routes for callers who are not known yet. */
  addOpen(scope: ApiScope): void;
  /** Routes for callers with a key or a session. */
  addOwn(scope: ApiScope): void;
}

/**
 * The management API, in a scope of its own: JSON bodies, schemas, a key or a session as credential. No page of another
 * origin reads it: a key that manages an account has no business in a page, and the web account is of our own origin.
 */
export function addApiScope(app: FastifyInstance, deps: ApiDeps, routes: ApiRoutes): void {
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
      await scope.register(async (open) => {
        limitStrangers(open, deps);
        routes.addOpen(open.withTypeProvider<TypeBoxTypeProvider>());
      });
      await scope.register(async (own) => {
        requireKnownCaller(own, deps);
        routes.addOwn(own.withTypeProvider<TypeBoxTypeProvider>());
      });
    },
    { prefix: '/api' },
  );
}

function limitStrangers(scope: FastifyInstance, deps: ApiDeps): void {
  scope.addHook('onRequest', async (request) => {
    await deps.rateLimits.checkOpen(request, deps.users.devices.isOurs(readDeviceCookie(request, deps)));
    // No page of another origin signs a user in.
    if (changes(request.method)) checkSameOrigin(request, deps.publicAddress);
  });
}

function requireKnownCaller(scope: FastifyInstance, deps: ApiDeps): void {
  // A client that follows events would otherwise keep the service from stopping.
  scope.addHook('preClose', async () => deps.eventStreams.stop());
  scope.addHook('onRequest', requireCredential(deps));
  scope.addHook('onRequest', (request) => deps.rateLimits.checkKey(request));
  scope.addHook('onRequest', async (request) => permit(request));
  // The body came after that, perhaps a minute after: what was taken away meanwhile is not used any more.
  scope.addHook('preHandler', async (request) => {
    if (changes(request.method)) await request.requireAccess();
  });
  auditChanges(scope, deps);
}
