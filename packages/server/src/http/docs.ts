import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { ApiDocument } from './api-document.js';

/** Everything from our own origin, and no script or style inside the page. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * `/docs`, a page to read and try the OpenAPI document with, and the document itself; neither needs a key.
 * @param document null where it is gathered from the routes
 */
export async function addDocs(
  app: FastifyInstance,
  pathPrefix: string,
  document: ApiDocument | null,
): Promise<void> {
  if (document) {
    const ofThisService = { ...document, servers: [{ url: pathPrefix || '/' }] };
    await app.register(swagger, { mode: 'static', specification: { document: ofThisService } });
  }
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: pathPrefix,
    staticCSP: contentSecurityPolicy,
    uiConfig: { layout: 'BaseLayout', deepLinking: true, docExpansion: 'list' },
    theme: { title: 'Lynceus API' },
    uiHooks: {
      // The page's own YAML would hold the event loop for a fifth of a second. All JSON is YAML.
      onRequest: (request, reply, next) => {
        if (request.routeOptions.url?.endsWith('/docs/yaml'))
          reply.redirect(`${pathPrefix}/docs/openapi.json`);
        else next();
      },
    },
  });
  app.get('/docs/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(app.swagger()),
  );
}
