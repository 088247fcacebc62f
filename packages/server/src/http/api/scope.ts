import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { Accounts } from '../../accounts/accounts.js';
import type { ManageCompatKeys } from '../../accounts/compat-settings.js';
import type { Users } from '../../accounts/users/users.js';
import type { ViewTokens } from '../../accounts/view-tokens.js';
import type { Clock } from '../../core/clock.js';
import type { Settings } from '../../core/settings.js';
import type { FetchImage } from '../../intake/fetch-image.js';
import type { Spool } from '../../intake/spool.js';
import type { Analyses } from '../../recognition/analyses.js';
import type { BuiltinModels } from '../../service/builtin/builtin-models.js';
import type { Jobs } from '../../service/jobs/jobs.js';
import type { RowLeases } from '../../storage/leases/row-leases.js';
import type { MakePreview } from '../../storage/thumbnails/previews.js';
import type { Thumbnails } from '../../storage/thumbnails/thumbnails.js';
import type { Logger } from '../common/logger.js';
import type { RateLimits } from '../common/rate-limits.js';
import type { RequestTurns } from '../common/request-turns.js';
import type { EventStreams } from './event-streams.js';
import type { Installation } from './installation.js';

/** What all routes of the management API may use; those of a feature have its `deps.ts` beside. */
export interface ApiDeps {
  readonly accounts: Pick<
    Accounts,
    | 'authenticateAfresh'
    | 'authenticateDrop'
    | 'ownerOfKey'
    | 'ownKeys'
    | 'readAccount'
    | 'readUsage'
    | 'sumUsage'
  >;
  readonly compatKeys: ManageCompatKeys;
  readonly viewTokens: Pick<ViewTokens, 'verify'>;
  /** Frames of streams that were analysed today, and how many may be a day; 0 for no limit. */
  readonly frameQuota: {
    read(accountId: number): Promise<{ readonly today: number; readonly limitPerDay: number }>;
  };
  readonly eventStreams: EventStreams;
  readonly users: Omit<Users, 'close'>;
  readonly installation: Installation;
  readonly analyses: Analyses;
  readonly rateLimits: RateLimits;
  readonly requestTurns: RequestTurns;
  readonly builtinModels: BuiltinModels;
  /** Where clients reach this service. */
  readonly publicAddress: (request: Pick<FastifyRequest, 'protocol' | 'host' | 'socket'>) => string;
  readonly jobs: Jobs;
  /** Of work of which an account has one at a time in all services. */
  readonly leases: { readonly rows: Pick<RowLeases, 'take'> };
  readonly thumbnails: Thumbnails;
  readonly makePreview: MakePreview;
  readonly spool: Spool;
  readonly fetchImage: FetchImage;
  /** Fires when the service stops and waits no longer. */
  readonly shutdownSignal: AbortSignal;
  readonly logger: Logger;
  readonly settings: Pick<
    Settings,
    | 'maxImageBytes'
    | 'maxJsonBytes'
    | 'requestTimeoutMs'
    | 'maxArchiveBytes'
    | 'maxModelBytes'
    | 'importTimeoutMs'
    | 'videoMaxBytes'
    | 'pathPrefix'
    | 'sessionMaxDays'
    | 'maxConnections'
    | 'maxEventStreams'
    | 'eventStreamsPerAccount'
    | 'eventStreamsPerAddress'
  >;
  readonly clock: Clock;
}

/** Where routes of the API are added: what a route says in its schema is what its handler gets and answers. */
export type ApiScope = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
