import type { FastifyInstance } from 'fastify';

/** Which methods a path takes, by the routes themselves. */
export type RouteTable = ReturnType<typeof noteRoutes>;

/** Notes every route added to this scope and the scopes in it from now on. Patterns may hold `:name` segments. */
export function noteRoutes(app: FastifyInstance) {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const each of [method].flat()) known.add(each);
    methods.set(url, known);
  });
  return {
    /** In alphabetical order; none for a path that no route has. */
    methodsAt(path: string): readonly string[] {
      const found = [...methods].filter(([pattern]) => matches(pattern, path));
      return [...new Set(found.flatMap(([, each]) => [...each]))].sort();
    },
  };
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every(
      (segment, index) => segment === given[index] || (segment.startsWith(':') && given[index] !== ''),
    )
  );
}
