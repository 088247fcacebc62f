import { exactly } from './fields.js';
import type { ApiScope } from './scope.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a route whose schema names one good answer: the status of that answer. */
    onlyStatus?: number | undefined;
  }
}

const noQuery = exactly({});

/**
 * What routes of the API leave unsaid. A route without a `querystring` takes no parameters, so that a misspelt one is refused. A
 * route with one good answer in its schema sends the status of that answer; what its handler returns is the body.
 */
export function completeRoutes(scope: ApiScope): void {
  scope.addHook('onRoute', (route) => {
    const { schema } = route;
    if (schema === undefined) return;
    schema.querystring ??= noQuery;
    route.config = { ...route.config, onlyStatus: onlyStatusOf(schema.response) };
  });
  // An error sets its own status afterwards.
  scope.addHook('preHandler', async (request, reply) => {
    const { onlyStatus } = request.routeOptions.config;
    if (onlyStatus !== undefined) reply.code(onlyStatus);
  });
}

function onlyStatusOf(response: unknown): number | undefined {
  const good = Object.keys(response ?? {}).filter((status) => status.startsWith('2'));
  return good.length === 1 ? Number(good[0]) : undefined;
}
