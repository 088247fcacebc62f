import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The first parts of the page's own addresses, as packages/console/src/shell/routes.tsx has them. */
export const pagePaths = [
  'sign-in',
  'sign-up',
  'welcome',
  'faces',
  'models',
  'datasets',
  'streams',
  'stream-events',
  'stream-outputs',
  'videos',
  'drops',
  'files',
  'usage',
  'keys',
  'account',
  'help',
  'admin',
] as const;

/** The files of packages/console/public, which have no content in their names. */
export const besidePage = ['icon.svg', 'color-scheme.js'] as const;

/** What is compressed is sent under the name of its file. */
const assetName = /^\w[\w.-]*(?<!\.(?:br|gz))$/;

/** Where `npm run build` puts the page. */
export const builtPage = fileURLToPath(new URL('../../../../console/dist/page', import.meta.url));

export type ShowPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

interface ConsoleOptions {
  /** Holds `index.html` and `assets/`. */
  readonly dir: string;
  readonly pathPrefix: string;
}

/**
 * The web account at `/`: one page for all its addresses, with files beside it whose names change with their content.
 * Answers what shows the page at any other address; null, and nothing is served, when the page was not built.
 */
export async function serveConsole(
  app: FastifyInstance,
  { dir, pathPrefix }: ConsoleOptions,
): Promise<ShowPage | null> {
  const html = await readFile(join(dir, 'index.html'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (html === null) return null;
  const withBase = html.replace('<base href="/" />', `<base href="${pathPrefix}/" />`);
  const answer: ShowPage = (_request, reply) => {
    const nonce = randomBytes(16).toString('base64url');
    return reply
      .type('text/html; charset=utf-8')
      .headers(pageHeaders(nonce))
      .send(withBase.replace('name="csp-nonce" content=""', `name="csp-nonce" content="${nonce}"`));
  };
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      // No page of another origin has business with this one.
      route.config = { ...route.config, cors: false };
      route.schema = { ...route.schema, hide: true };
    });
    const addresses = ['/', ...pagePaths.flatMap((path) => [`/${path}`, `/${path}/*`])];
    for (const url of addresses) scope.route({ method: ['GET', 'HEAD'], url, handler: answer });
    await scope.register(fastifyStatic, {
      root: dir,
      serve: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        const isNamedByContent = path.startsWith(join(dir, 'assets'));
        response.header(
          'cache-control',
          isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
    const method = ['GET', 'HEAD'];
    for (const name of besidePage)
      scope.route({ method, url: `/${name}`, handler: (_request, reply) => reply.sendFile(name) });
    // One route for all of them: a route takes a millisecond at every start.
    scope.route<{ Params: { '*': string } }>({
      method,
      url: '/assets/*',
      handler: ({ params: { '*': name } }, reply) =>
        assetName.test(name) ? reply.sendFile(name, join(dir, 'assets')) : reply.callNotFound(),
    });
  });
  return answer;
}

/** Whether a user opens an address in a browser, which says so (Fetch Metadata). Programs and scripts say nothing of the kind. */
export function isVisit({ method, headers }: FastifyRequest): boolean {
  return (
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  );
}

/**
 * What a browser may do with the page: everything from our own origin, no script inside it, no frame around it. Styles
 * that widgets make as they go carry the nonce of their page. Images are also made by the page itself. What every answer tells
 * comes beside it.
 */
function pageHeaders(nonce: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' blob: data:",
      "media-src 'self' blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join('; '),
    'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'same-origin',
  };
}
