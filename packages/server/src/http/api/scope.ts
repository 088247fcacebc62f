import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { Accounts, Caller } from '../../accounts/accounts.js';
import type { Creator } from '../../accounts/creator.js';
import type { Users } from '../../accounts/users/users.js';
import type { CompatKeys } from '../../compat/compat-keys.js';
import type { CompatListeners } from '../../compat/running-listeners.js';
import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';
import type { Settings } from '../../core/settings.js';
import type { DropStore } from '../../drops/drop-store.js';
import type { FaceDatabase } from '../../faces/face-database.js';
import type { ReEmbedding } from '../../faces/re-embedding/re-embedding.js';
import type { FetchImage } from '../../intake/fetch-image.js';
import type { Spool } from '../../intake/spool.js';
import type { Analyses } from '../../recognition/analyses.js';
import type { ChooseModel } from '../../recognition/choose-model.js';
import type { BuiltinModels } from '../../service/builtin/builtin-models.js';
import type { Jobs } from '../../service/jobs/jobs.js';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import type { RowLeases } from '../../storage/leases/row-leases.js';
import type { MakePreview } from '../../storage/thumbnails/previews.js';
import type { Thumbnails } from '../../storage/thumbnails/thumbnails.js';
import type { StreamOutputs } from '../../streams/outputs/outputs.js';
import type { TestOutput } from '../../streams/outputs/test-output.js';
import type { RunningStreams } from '../../streams/running/open-running.js';
import type { StreamStore } from '../../streams/stream-store.js';
import type { VideoStore } from '../../streams/videos/video-store.js';
import type { DatasetStore } from '../../training/datasets/dataset-store.js';
import type { ReadImportFindings } from '../../training/datasets/import/import-findings.js';
import type { StartImport } from '../../training/datasets/import/start-import.js';
import type { SuggestLabels } from '../../training/datasets/suggest-labels.js';
import type { ModelStore } from '../../training/models/model-store.js';
import type { ModelWork } from '../../training/models/model-work.js';
import type { UploadVersion } from '../../training/models/upload-version.js';
import type { Logger } from '../common/logger.js';
import type { RateLimits } from '../common/rate-limits.js';
import type { RequestTurns } from '../common/request-turns.js';
import type { LiveChanges } from '../../live/live-changes.js';
import type { Installation } from './installation.js';

/** What the management API depends on. */
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
  readonly compatKeys: Pick<CompatKeys, 'create' | 'change'>;
  readonly compatListeners: CompatListeners;
  readonly users: Omit<Users, 'close'>;
  readonly installation: Installation;
  readonly analyses: Analyses;
  readonly rateLimits: RateLimits;
  readonly requestTurns: RequestTurns;
  readonly faces: FaceDatabase;
  readonly reEmbedding: Pick<ReEmbedding, 'change' | 'again'>;
  readonly datasets: DatasetStore;
  readonly suggestLabels: SuggestLabels;
  readonly customModels: ModelStore;
  readonly modelWork: Omit<ModelWork, 'kinds'>;
  readonly uploadVersion: UploadVersion;
  readonly dropStore: Omit<DropStore, 'logIn' | 'work'>;
  readonly streamStore: StreamStore;
  readonly streamOutputs: Omit<StreamOutputs, 'whole' | 'retryNow' | 'finishRemovals'>;
  readonly testStreamOutput: TestOutput;
  readonly runningStreams: Pick<RunningStreams, 'previews'>;
  readonly videoStore: VideoStore;
  readonly chooseModel: ChooseModel;
  readonly builtinModels: BuiltinModels;
  /** Where clients reach this service. */
  readonly publicAddress: (request: Pick<FastifyRequest, 'protocol' | 'host' | 'socket'>) => string;
  readonly jobs: Jobs;
  /** Of work of which an account has one at a time in all services. */
  readonly leases: { readonly rows: Pick<RowLeases, 'take'> };
  readonly importDatasets: StartImport;
  readonly readImportFindings: ReadImportFindings;
  /** Zips that are being imported. */
  readonly imports: Pick<BlobStore, 'write' | 'remove'>;
  readonly live: LiveChanges;
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

/** Who is calling, by a key that manages keys. Throws `not_allowed`. */
export function managerOf(request: Pick<FastifyRequest, 'caller'>): Caller {
  const caller = callerOf(request);
  if (caller.managesKeys) return caller;
  throw new ServiceError(
    'not_allowed',
    'a key with a limit of calls manages no keys: use one without, or ask the operator for it',
  );
}

/** As whom the caller creates keys: who is signed in, or the key. */
export function creatorOf(request: Pick<FastifyRequest, 'caller' | 'signedIn'>): Creator {
  const user = request.signedIn?.session.user;
  return user ? { kind: 'user', id: user.id } : { kind: 'key', id: callerOf(request).keyId };
}

/** Who is calling; the scope has checked the key. */
export function callerOf(request: Pick<FastifyRequest, 'caller'>): Caller {
  if (!request.caller) throw new ServiceError('invalid_api_key', 'no API key');
  return request.caller;
}
