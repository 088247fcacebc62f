import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CompatProtocol } from '../../accounts/compat-settings.js';
import type { ServiceError } from '../../core/service-error.js';
import type { CompatAnswer } from '../common/compat-route.js';
import { toComprefaceError } from '../compreface/errors.js';
import { addComprefaceRoutes } from '../compreface/routes.js';
import { toDeepstackError } from '../deepstack/answers.js';
import { addDeepstackRoutes } from '../deepstack/routes.js';
import { toDoodsError } from '../doods/answers.js';
import type { DoodsDeps } from '../doods/call.js';
import { addDoodsRoutes } from '../doods/routes.js';
import { toFrigateError } from '../frigate/answers.js';
import type { FrigateDeps } from '../frigate/call.js';
import { addFrigateRoutes } from '../frigate/routes.js';

/** What all protocols depend on together. */
export type ListenerDeps = DoodsDeps & FrigateDeps;

/** What a listener answers for the key of a protocol. */
interface ListenerProtocol {
  addRoutes(
    app: FastifyInstance,
    deps: ListenerDeps,
    explain: (error: unknown, request: FastifyRequest) => ServiceError,
  ): void;
  toError(error: ServiceError): CompatAnswer;
  /** What clients read beside that to see whether somebody is there, which is answered by nothing of interest. */
  readonly probes: readonly string[];
}

/** The one place that says what is served for whom. */
export const listenerProtocols: Readonly<Record<CompatProtocol, ListenerProtocol>> = {
  deepstack: {
    addRoutes: addDeepstackRoutes,
    toError: toDeepstackError,
    probes: ['/', '/v1/status/*', '/v1/server/status/*'],
  },
  doods: { addRoutes: addDoodsRoutes, toError: toDoodsError, probes: ['/'] },
  compreface: { addRoutes: addComprefaceRoutes, toError: toComprefaceError, probes: ['/'] },
  frigate: { addRoutes: addFrigateRoutes, toError: toFrigateError, probes: ['/'] },
};
