import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { addAccountRoutes } from './account.js';
import { compileCheck } from './check-request.js';
import { requireKey } from './credential.js';
import { addDatasetRoutes } from './datasets/routes.js';
import { addDropRoutes } from './drops/routes.js';
import { addEventRoutes } from './events.js';
import { addFilePictureRoute } from './file-picture.js';
import { addFileRoutes } from './files.js';
import { addJobRoutes } from './jobs.js';
import { addKeyRoutes } from './keys.js';
import { addModelRoutes } from './models/routes.js';
import { addFaceDatabaseRoutes } from './perceptions/routes.js';
import { readJsonBodies } from './read-json.js';
import type { ApiDeps } from './scope.js';
import { addUsageRoutes } from './usage.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False: the CORS plugin leaves the route alone. It reads this, but does not declare it. */
    cors?: boolean;
  }
}

/**
 * The management API, in a scope of its own: JSON bodies, schemas, the key as credential. No page of another
 * origin reads it: a key that manages an account has no business in a page, and the web account is of our own origin.
 */
export function addApiRoutes(app: FastifyInstance, deps: ApiDeps): void {
  // What the rest of the service answers to a browser's question beforehand is not true here.
  app.options('/api/*', { config: { cors: false } }, (_request, reply) => reply.callNotFound());
  app.register(
    async (scope) => {
      readJsonBodies(scope);
      scope.setValidatorCompiler(compileCheck);
      scope.addHook('onRoute', (route) => {
        route.config = { ...route.config, cors: false };
      });
      scope.addHook('onRequest', async (_request, reply) => {
        // A key may be in an answer, and what belongs to an account is no business of a cache.
        reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
      });
      scope.addHook('onRequest', (request) => deps.rateLimits.checkAddress(request));
      scope.addHook('onRequest', requireKey(deps));
      scope.addHook('onRequest', (request) => deps.rateLimits.checkKey(request));

      const typed = scope.withTypeProvider<TypeBoxTypeProvider>();
      addFileRoutes(typed, deps);
      addFilePictureRoute(typed, deps);
      addKeyRoutes(typed, deps);
      addUsageRoutes(typed, deps);
      addAccountRoutes(typed, deps);
      addFaceDatabaseRoutes(typed, deps);
      addDatasetRoutes(typed, deps);
      addModelRoutes(typed, deps);
      addDropRoutes(typed, deps);
      addJobRoutes(typed, deps);
      addEventRoutes(typed, deps);
    },
    { prefix: '/api' },
  );
}
