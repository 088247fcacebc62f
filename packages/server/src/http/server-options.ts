import { randomUUID } from 'node:crypto';
import type { FastifyHttpOptions, RawServerDefault } from 'fastify';
import type { Settings } from '../core/settings.js';
import { createAnswerClientError } from './client-error.js';
import { mergeSlashes } from './merge-slashes.js';
import type { ToBody } from './refuse-connection.js';

const keepAliveTimeoutMs = 72_000;
const headersTimeoutMs = 15_000;
/** Connections are looked at so much oftener than the grace is long. */
const checksInGrace = 2.5;
/** The name of a person as part of a path: 200 characters, of which each may be four bytes that are escaped. */
const maxParamLength = 200 * 4 * 3;

/** How every listener for clients reads requests: how long they may take, whom `X-Forwarded-For` is believed of. */
export function serverOptions({
  settings,
  trustedProxies,
  slowestMs,
  graceMs,
  toBody,
}: {
  readonly settings: Pick<Settings, 'requestTimeoutMs'>;
  readonly trustedProxies: readonly string[];
  /** Time of the slowest route. */
  readonly slowestMs: number;
  readonly graceMs: number;
  /** Of what no request is known of. */
  readonly toBody: ToBody;
}) {
  return {
    logger: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    requestTimeout: slowestMs + graceMs,
    // Ten seconds by default, which a machine that is busy with other work exceeds at a start.
    pluginTimeout: 120_000,
    keepAliveTimeout: keepAliveTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      headersTimeout: Math.min(headersTimeoutMs, settings.requestTimeoutMs),
      connectionsCheckingInterval: graceMs / checksInGrace,
      // Node would answer a request without one by an empty 400; no route looks at it.
      requireHostHeader: false,
    },
    clientErrorHandler: createAnswerClientError(toBody),
    // Before anything reads the address: every check and every route then sees the same path.
    rewriteUrl: ({ url = '' }) => mergeSlashes(url),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength },
  } satisfies FastifyHttpOptions<RawServerDefault>;
}
