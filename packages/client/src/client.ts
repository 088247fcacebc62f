import { createFiles } from './account/files.js';
import { createFollowAccount } from './account/follow-account.js';
import { createKeys } from './account/keys.js';
import { createUsage } from './account/usage.js';
import { createAdmin } from './admin/admin.js';
import type { Account, Liveness, Readiness } from './api-types.js';
import { createDatasetClasses } from './datasets/classes.js';
import { createDatasets } from './datasets/datasets.js';
import { createDatasetImages } from './datasets/images.js';
import { createDrops } from './drops/drops.js';
import { createDropFiles } from './drops/files.js';
import { createJobs } from './jobs/jobs.js';
import { createModels } from './models/models.js';
import { createModelRuns } from './models/runs.js';
import { createModelVersions } from './models/versions.js';
import { type CallOptions, type ClientOptions, checkOptions } from './options.js';
import { createArchives } from './perceptions/archives.js';
import { createCalibration } from './perceptions/calibration.js';
import { createCorrections } from './perceptions/corrections.js';
import { createEmbedders } from './perceptions/embedders.js';
import { createFaceImages } from './perceptions/face-images.js';
import { createPeople } from './perceptions/people.js';
import { createPerceptions } from './perceptions/perceptions.js';
import { createDetect } from './recognition/detect.js';
import { createFaces } from './recognition/faces.js';
import { createPreview } from './recognition/preview.js';
import { createRecognise } from './recognition/recognise.js';
import { ask, type Send } from './service/call.js';
import { checked, findProblem, type Kinds } from './service/checked.js';
import { createSend } from './service/send.js';
import { createStreamViews } from './streams/live.js';
import { createStreamOutputs } from './streams/outputs.js';
import { createStreamEvents, createStreamTracks } from './streams/seen.js';
import { createStreams } from './streams/streams.js';
import { createLinks } from './users/links.js';
import { createAudit, createInvitations, createMembers } from './users/members.js';
import { createOwnUser } from './users/own-user.js';
import { createSession } from './users/session.js';
import { createVideos } from './videos/videos.js';

/** The operations of the service, each described where it is defined. */
export interface LynceusClient
  extends ReturnType<typeof createRecognise>,
    ReturnType<typeof createDetect>,
    ReturnType<typeof createPreview> {
  readonly faces: ReturnType<typeof createFaces>;
  readonly perceptions: ReturnType<typeof createPerceptions>;
  readonly archives: ReturnType<typeof createArchives>;
  readonly calibration: ReturnType<typeof createCalibration>;
  readonly embedders: ReturnType<typeof createEmbedders>;
  readonly people: ReturnType<typeof createPeople>;
  readonly faceImages: ReturnType<typeof createFaceImages>;
  readonly corrections: ReturnType<typeof createCorrections>;
  readonly datasets: ReturnType<typeof createDatasets>;
  readonly datasetClasses: ReturnType<typeof createDatasetClasses>;
  readonly datasetImages: ReturnType<typeof createDatasetImages>;
  readonly models: ReturnType<typeof createModels>;
  readonly modelRuns: ReturnType<typeof createModelRuns>;
  readonly modelVersions: ReturnType<typeof createModelVersions>;
  readonly drops: ReturnType<typeof createDrops>;
  readonly dropFiles: ReturnType<typeof createDropFiles>;
  readonly streams: ReturnType<typeof createStreams>;
  readonly streamViews: ReturnType<typeof createStreamViews>;
  readonly streamEvents: ReturnType<typeof createStreamEvents>;
  readonly streamTracks: ReturnType<typeof createStreamTracks>;
  readonly streamOutputs: ReturnType<typeof createStreamOutputs>;
  readonly videos: ReturnType<typeof createVideos>;
  readonly jobs: ReturnType<typeof createJobs>;
  readonly files: ReturnType<typeof createFiles>;
  readonly keys: ReturnType<typeof createKeys>;
  readonly usage: ReturnType<typeof createUsage>;
  /** The plan of the account, and its calls used and left. */
  readonly account: ReturnType<typeof createAccount>;
  readonly session: ReturnType<typeof createSession>;
  readonly links: ReturnType<typeof createLinks>;
  readonly ownUser: ReturnType<typeof createOwnUser>;
  readonly members: ReturnType<typeof createMembers>;
  readonly invitations: ReturnType<typeof createInvitations>;
  readonly audit: ReturnType<typeof createAudit>;
  readonly admin: ReturnType<typeof createAdmin>;
  readonly follow: ReturnType<typeof createFollowAccount>;
  readonly health: ReturnType<typeof createHealth>;
}

const clientOptions: Kinds<ClientOptions> = {
  baseUrl: 'needed',
  apiKey: 'optional',
  session: 'optional',
  fetch: 'optional',
  timeoutMs: 'optional',
  maxRetries: 'optional',
};

/**
 * A client of one service, with a key or, in the service's own page, by the session of the signed-in user. Every call throws a
 * LynceusError when it fails. Throws a TypeError for options that cannot be used.
 */
export function createLynceusClient(options: ClientOptions): LynceusClient {
  const problem = findProblem('createLynceusClient', options, clientOptions);
  if (problem !== undefined) throw new TypeError(problem);
  const send = createSend(checkOptions(options));
  return {
    ...createRecognise(send),
    ...createDetect(send),
    ...createPreview(send),
    faces: createFaces(send),
    perceptions: createPerceptions(send),
    archives: createArchives(send),
    calibration: createCalibration(send),
    embedders: createEmbedders(send),
    people: createPeople(send),
    faceImages: createFaceImages(send),
    corrections: createCorrections(send),
    datasets: createDatasets(send),
    datasetClasses: createDatasetClasses(send),
    datasetImages: createDatasetImages(send),
    models: createModels(send),
    modelRuns: createModelRuns(send),
    modelVersions: createModelVersions(send),
    drops: createDrops(send),
    dropFiles: createDropFiles(send),
    streams: createStreams(send),
    streamViews: createStreamViews(send),
    streamEvents: createStreamEvents(send),
    streamTracks: createStreamTracks(send),
    streamOutputs: createStreamOutputs(send),
    videos: createVideos(send),
    jobs: createJobs(send),
    files: createFiles(send),
    keys: createKeys(send),
    usage: createUsage(send),
    account: createAccount(send),
    session: createSession(send),
    links: createLinks(send),
    ownUser: createOwnUser(send),
    members: createMembers(send),
    invitations: createInvitations(send),
    audit: createAudit(send),
    admin: createAdmin(send),
    follow: createFollowAccount(send),
    health: createHealth(send),
  };
}

function createAccount(send: Send) {
  const account = async (options: CallOptions = {}): Promise<Account> =>
    ask(send, { method: 'GET', path: '/api/account' }, options);
  return checked('', { account }, {}).account;
}

function createHealth(send: Send) {
  const calls = {
    /** Answers while the service runs. */
    live: async (options: CallOptions = {}): Promise<Liveness> =>
      ask(send, { method: 'GET', path: '/livez' }, options),

    /** Whether the service can work, and what is missing. */
    ready: async (options: CallOptions = {}): Promise<Readiness> =>
      ask(send, { method: 'GET', path: '/readyz', alsoAnswers: 503 }, options),
  };
  return checked('health', calls, {});
}
