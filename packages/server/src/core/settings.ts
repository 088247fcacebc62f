import { defaultFaceChain, textLanguages } from '@lynceus/engine';
import { type Static, Type } from 'typebox';
import { roles } from './roles.js';
import { settingsOfBlobs } from './settings-of-blobs.js';
import { settingsOfDrops } from './settings-of-drops.js';
import { settingsOfStreams } from './settings-of-streams.js';

const gibibyte = 1024 ** 3;

const Bytes = (options: { default: number; description: string }) => Type.Integer({ minimum: 1, ...options });
const AtMost = (options: { default: number; description: string }) =>
  Type.Integer({ minimum: 0, ...options, description: `${options.description}; 0: no limit.` });
const Milliseconds = (options: { default: number; description: string }) =>
  Type.Integer({ minimum: 1, ...options });

/** The UID or number of a built-in model. */
const Model = (options: { default: string; description: string }) =>
  Type.String({
    // Those without a default of their own may be empty.
    pattern: `^([a-z][a-z0-9-]{0,63}|[0-9]{3})${options.default === '' ? '?' : ''}$`,
    ...options,
    description: `${options.description}. The UID or number of a built-in model, shipped or added (docs/added-models.md).`,
  });

/**
 * Every setting of the service. A setting `fetchTimeoutMs` is read from the environment as
 * `LYNCEUS_FETCH_TIMEOUT_MS` and from the settings file under its own name; the environment wins.
 */
export const Settings = Type.Object(
  {
    host: Type.String({
      default: '127.0.0.1',
      description: 'Address to listen on; 0.0.0.0 or :: for every one.',
    }),
    port: Type.Integer({
      minimum: 0,
      maximum: 65535,
      default: 8080,
      description: 'Port to listen on; 0 takes a free one.',
    }),
    roles: Type.String({
      default: roles.join(','),
      maxLength: 100,
      description:
        'What this service does of the work of several on one database, a comma separated list: http (API and web account), ftp (the servers of FTP and SFTP, where ftpPort and sftpPort are set), jobs (files of drops, re-embedding, sweeps), training (training runs and comparisons), streams (live streams and videos). Without http, only /livez and /readyz are at its port.',
    }),
    pathPrefix: Type.String({
      default: '',
      pattern: '^(/[A-Za-z0-9._~-]+)*$',
      description: 'Path before every route, such as /vision.',
    }),
    dataDir: Type.String({
      default: 'data',
      description: 'Folder for the database unless it is elsewhere, blobs and spool.',
    }),
    databaseUrl: Type.String({
      default: '',
      description:
        'PostgreSQL database, as postgres://USER:PASSWORD@HOST:PORT/DATABASE; empty: SQLite in the data folder.',
    }),
    databaseConnections: Type.Integer({
      minimum: 2,
      maximum: 1000,
      default: 10,
      description: 'Connections to PostgreSQL at most; half of them read, half write.',
    }),
    joinInstallation: Type.Boolean({
      default: false,
      description:
        'Whether a data folder without an id joins the installation of a PostgreSQL database, as one more service, unless it lies where a registered one did; else: lynceus folders join.',
    }),
    modelsDir: Type.String({
      default: '',
      description:
        'Folder for installed models, shared by clones; empty: lynceus/models in the user cache folder, or models in the data folder when there is no home.',
    }),
    spoolDir: Type.String({
      default: '',
      description:
        'Folder for large bodies in flight; empty: spool in the data folder, or shared memory when it is large enough.',
    }),
    spoolMaxBytes: Bytes({
      default: 512 * 1024 * 1024,
      description:
        'Bytes of bodies in flight at once, of one account half as many; above it requests are answered busy, above the half by too many requests. Decoded images that several processes share may take as much again.',
    }),
    firstKey: Type.String({
      default: '',
      pattern: '^([A-Za-z0-9_.~-]{16,200})?$',
      description:
        'Key given to the first account when it is made, 16 or more of A-Z a-z 0-9 _ . ~ -; empty: a random one.',
    }),
    secretKey: Type.String({
      default: '',
      pattern: '^([A-Za-z0-9_+/-]{43}=?)?$',
      description:
        'Key that seals passwords of destinations and second factors and signs links of images, 32 bytes as base64 (openssl rand -base64 32), the same for all services on one database; empty: see secretKeyFile.',
    }),
    secretKeyFile: Type.String({
      default: '',
      description:
        'File with that key; empty: secret-key in the data folder, which is made at the first start.',
    }),
    acceptedSecretKeys: Type.String({
      default: '',
      pattern: '^\\s*([A-Za-z0-9_+/-]{43}=?([\\s,]+|$))*$',
      description:
        'Further such keys, separated by commas: what they sealed is opened and what they signed is accepted, and nothing is sealed with them. For replacing the key while services run (docs/security.md).',
    }),
    trialCalls: Type.Integer({ minimum: 0, default: 1000, description: 'Calls a trial account has.' }),
    resultDays: Type.Integer({
      minimum: 0,
      maximum: 36_500,
      default: 30,
      description:
        'Days for which accounts made from now on keep an analysis by its fileid; 0: not at all. Other accounts: lynceus accounts change NAME --days.',
    }),
    openSignUp: Type.Boolean({
      default: false,
      description: 'Whether anybody may make a trial account of their own on the page; else by invitation.',
    }),
    sessionIdleDays: Type.Integer({
      minimum: 1,
      maximum: 3650,
      default: 14,
      description: 'Days without activity after which a user is signed out.',
    }),
    sessionMaxDays: Type.Integer({
      minimum: 1,
      maximum: 3650,
      default: 90,
      description: 'Days after which every user has to sign in again.',
    }),
    auditDays: Type.Integer({
      minimum: 1,
      maximum: 36_500,
      default: 365,
      description: 'Days for which it is kept who changed what.',
    }),
    accountDeletionDelayHours: Type.Integer({
      minimum: 0,
      maximum: 8760,
      default: 72,
      description:
        'Hours from the request to delete an account, which closes it at once, until its deletion begins; until then an administrator or lynceus accounts undelete opens it again. A request may ask for the deletion at once.',
    }),
    quarantineDays: Type.Integer({
      minimum: 1,
      maximum: 3650,
      default: 14,
      description:
        'Days for which files that no row of the database names stay in the quarantine of the data folder before they are deleted.',
    }),
    publicAddress: Type.String({
      default: '',
      pattern: '^(https?://[^/?#\\s]+(/[^?#\\s]*)?)?$',
      description:
        'Where clients reach the service, path prefix included, such as https://vision.example; for addresses in answers. Empty: where the request came to.',
    }),
    faceIndex: Type.Union([Type.Literal('auto'), Type.Literal('memory'), Type.Literal('pgvector')], {
      default: 'auto',
      description:
        'Where faces are searched: memory (of each service), pgvector (in PostgreSQL, which has that extension), or auto: pgvector where the database of databaseUrl has the extension already, else memory.',
    }),
    faceIndexMaxMb: Type.Integer({
      minimum: 1,
      default: 1024,
      description:
        'MiB of face vectors in memory, 2 kB a face; perceptions searched longest ago leave first and come back when they are searched.',
    }),
    keepImages: Type.Boolean({
      default: false,
      description: 'Keep each analysed image as it came, for as long as its result is kept.',
    }),
    rateLimitPerKey: Type.Integer({
      minimum: 0,
      default: 0,
      description:
        'Requests a minute that one key may make; of several services on one database each allows an equal share; 0: no limit.',
    }),
    rateLimitPerAddress: Type.Integer({
      minimum: 0,
      default: 0,
      description:
        'Requests a minute from one address (of IPv6: from one /64 network), good keys or not; of several services on one database each allows an equal share; 0: no limit.',
    }),
    trustedProxies: Type.String({
      default: '',
      description:
        'Addresses and networks (CIDR, comma separated) of proxies whose X-Forwarded-For is believed; from others it is ignored.',
    }),
    compatListenerPorts: Type.String({
      default: '',
      maxLength: 1000,
      description:
        'Ports at which administrators may open listeners for clients that send no key, a list of ports and ranges such as 5000,32168,8000-8010. Empty: none.',
    }),
    maxImageBytes: Bytes({ default: 25 * 1024 * 1024, description: 'Largest encoded image.' }),
    maxPixels: Type.Integer({
      minimum: 1,
      default: 64_000_000,
      description: 'Largest image in pixels, checked before decoding.',
    }),
    maxJsonBytes: Bytes({
      default: 36 * 1024 * 1024,
      description: 'Largest JSON body (base64 adds a third to an image).',
    }),
    requestTimeoutMs: Milliseconds({
      default: 60_000,
      description: 'Time a request may take from its first byte to its answer.',
    }),
    maxArchiveBytes: Bytes({
      default: 20 * 1024 * 1024 * 1024,
      description: 'Largest archive of a perception, or zip of a dataset, that is imported over HTTP.',
    }),
    maxModelBytes: Bytes({
      default: 512 * 1024 * 1024,
      description: 'Largest upload of a ready model, all its files together.',
    }),
    accountMaxConcurrent: Type.Integer({
      minimum: 0,
      default: 0,
      description:
        'Analyses of one account under way at once, and its files of drops and jobs of any other kind, in this process; 0: any number of analyses, in at most half of the inference processes while another account asks, and half of the slots for jobs of a kind.',
    }),
    accountMaxDatasets: AtMost({ default: 200, description: 'Datasets that an account may have' }),
    accountMaxDatasetImages: AtMost({
      default: 200_000,
      description: 'Images that an account may have in all its datasets',
    }),
    accountMaxDatasetImageBytes: AtMost({
      default: 50 * gibibyte,
      description: 'Bytes of the images of all datasets of an account',
    }),
    accountMaxFaces: AtMost({
      default: 1_000_000,
      description:
        'Face images, persons and corrections, each, that an account may have in all its perceptions',
    }),
    accountMaxFaceBytes: AtMost({
      default: 50 * gibibyte,
      description: 'Bytes of the face images of all perceptions of an account',
    }),
    accountMaxModels: AtMost({ default: 200, description: 'Models of its own that an account may have' }),
    accountMaxVersions: AtMost({
      default: 1000,
      description: 'Versions that the models of an account may have together, those in training included',
    }),
    accountMaxModelBytes: AtMost({
      default: 50 * gibibyte,
      description: 'Bytes of all files of the models of an account, uploaded originals included',
    }),
    featuresMaxBytes: AtMost({
      default: 20 * gibibyte,
      description:
        "Bytes of images' features that are kept for the next training; those unused longest go first, those of a running training never",
    }),
    thumbnailsMaxBytes: AtMost({
      default: gibibyte,
      description: 'Bytes of thumbnails that are kept, of all accounts; of more, the oldest are removed',
    }),
    diskReserveBytes: Type.Integer({
      minimum: 0,
      default: gibibyte,
      description:
        'Bytes of the disk of the data folder that images of datasets, imports, models, trainings and files of drops leave free; what would take of them is refused.',
    }),
    importTimeoutMs: Milliseconds({
      default: 3_600_000,
      description:
        'Time that importing such an archive may take, its arrival included; within it, a client that sends nothing for requestTimeoutMs is given up.',
    }),
    maxConnections: Type.Integer({
      minimum: 1,
      default: 2000,
      description:
        'Connections open at once; above it the one that has waited longest without a request is closed for a new one, which is answered busy when none has.',
    }),
    connectionsReserved: Type.Integer({
      minimum: 0,
      default: 16,
      description:
        'Connections beyond maxConnections, on which health checks and signed-in administrators are answered when all others are busy.',
    }),
    connectionsPerAddress: AtMost({
      default: 1000,
      description:
        'Connections open at once from one address (of IPv6: from one /64 network); behind a trusted proxy, requests under way of one client',
    }),
    connectionsPerAccount: AtMost({
      default: 1000,
      description: 'Connections with a request under way of one account, its administrators aside',
    }),
    maxEventStreams: Type.Integer({
      minimum: 1,
      default: 500,
      description: 'Streams of events open at once, and never more than half of maxConnections.',
    }),
    eventStreamsPerAccount: Type.Integer({
      minimum: 1,
      default: 200,
      description:
        'Streams of events open at once of one account, and never more than half of all; an open page has one.',
    }),
    eventStreamsPerAddress: Type.Integer({
      minimum: 1,
      default: 300,
      description: 'Streams of events open at once from one address (of IPv6: from one /64 network).',
    }),
    fetchTimeoutMs: Milliseconds({
      default: 10_000,
      description: 'Time that fetching an image by address may take, redirects included.',
    }),
    fetchAllowedNetworks: Type.String({
      default: '',
      description:
        'Networks (CIDR, comma separated) that images may be fetched from although they are private.',
    }),
    errorsAsOk: Type.Boolean({
      default: false,
      description: 'Answer v1 and v2 errors with HTTP 200, for clients that read no other body.',
    }),
    recognitionParts: Type.String({
      default: 'classes,objects,texts,faces',
      pattern: '^(classes|objects|texts|faces)(,(classes|objects|texts|faces))*$',
      description:
        'What general recognition looks for unless a request says parts=…: a list of classes, objects, texts, faces. Models of the parts left out need not be installed.',
    }),
    textLanguages: Type.String({
      default: '',
      maxLength: 1000,
      description: `Languages of the text in images, a comma separated list of ${textLanguages.join(', ')}: only their letters are read, which avoids mistakes; a request or drop may say others. Empty: all languages in Latin letters, and Chinese.`,
    }),
    defaultDetector: Model({
      default: 'coco-accurate',
      description:
        'Detector of general recognition, of /predict/object_detection/ without a model_id, and of suggested labels',
    }),
    defaultClassifier: Model({
      default: 'imagenet',
      description: 'Classifier of general recognition, and of suggested labels',
    }),
    dropDetector: Model({
      default: '',
      description: 'Detector of general recognition in drops; empty: defaultDetector',
    }),
    dropClassifier: Model({
      default: '',
      description: 'Classifier of general recognition in drops; empty: defaultClassifier',
    }),
    v2Model: Model({
      default: 'coco-accurate',
      description: 'Model of v2 requests without a model_id',
    }),
    faceChain: Type.Union([Type.Literal('accurate'), Type.Literal('permissive')], {
      default: defaultFaceChain,
      description:
        'Models for faces, of new perceptions and of general recognition: accurate, whose origin is not stated, or permissive, whose describing net its author lets anybody use. Perceptions that there are keep theirs until it is changed (docs/faces.md).',
    }),
    inferenceProcesses: Type.Integer({
      minimum: 0,
      default: 0,
      description:
        'Inference processes; 0: one a core. At most as many processes compute the features of images for a training run.',
    }),
    inferenceQueueMax: Type.Integer({
      minimum: 1,
      default: 64,
      description:
        'Jobs that may wait for an inference process, and as many for one of custom models; above it requests of the accounts that have most waiting are answered busy.',
    }),
    inferenceMaxMemoryMb: Type.Integer({
      minimum: 1024,
      default: 2048,
      description:
        'Resident MiB of an inference process during a job: above it, it is ended and the image is answered unsupported_image, unless it fits in a fresh process, where it is tried once. It is replaced by a fresh one at half of it after 50 jobs, and at three quarters after any job.',
    }),
    decodeMaxCpuMs: Type.Integer({
      minimum: 100,
      maximum: 600_000,
      default: 10_000,
      description:
        'Processor time that decoding one image may take, in milliseconds, and as much again for every 16 million pixels of an AVIF or HEIC; above it, its process is ended and the image is answered unsupported_image. Waiting for a core does not count.',
    }),
    customInferenceProcesses: Type.Integer({
      minimum: 0,
      default: 0,
      description:
        'Processes for the models of accounts, at most; they are started on demand and end after a minute without a job. 0: one for every two cores, and at least two.',
    }),
    customInferenceProcessesPerAccount: Type.Integer({
      minimum: 0,
      default: 0,
      description: 'Of them, those that one account may use at once; 0: half of them.',
    }),
    customInferenceMaxBytes: Type.Integer({
      minimum: 256 * 1024 ** 2,
      default: 2 * gibibyte,
      description:
        'Resident memory of such a process; above it, it is ended at once and its request is answered model_too_large. The trial of an upload may take twice as much.',
    }),
    customInferenceTimeoutMs: Milliseconds({
      default: 30_000,
      description: 'Time that a model of an account may take for one image, its loading included.',
    }),
    trainingMaxMemoryMb: Type.Integer({
      minimum: 256,
      default: 3072,
      description: 'MiB of memory the process of a training run may have; above it, it is ended and says so.',
    }),
    trainingTimeoutMs: Type.Integer({
      minimum: 1,
      maximum: 2 ** 31 - 1,
      default: 86_400_000,
      description: 'Time that a training may take; past it, it is ended and says so.',
    }),
    ...settingsOfBlobs,
    ...settingsOfDrops,
    ...settingsOfStreams,
    metricsHost: Type.String({
      minLength: 1,
      default: '127.0.0.1',
      description:
        'Address to listen on for Prometheus metrics, which need no key; 0.0.0.0 in a container whose port for metrics only the monitoring reaches.',
    }),
    metricsPort: Type.Integer({
      minimum: 0,
      maximum: 65535,
      default: 0,
      description: 'Port for Prometheus metrics; 0: none.',
    }),
    logLevel: Type.Union(
      ['trace', 'debug', 'info', 'warn', 'error', 'silent'].map((level) => Type.Literal(level)),
      { default: 'info', description: 'trace, debug, info, warn, error or silent.' },
    ),
    drainDelayMs: Type.Integer({
      minimum: 0,
      maximum: 600_000,
      default: 0,
      description:
        'Time from SIGTERM, when /readyz turns to 503, until the listeners close and drainTimeoutMs begins; 5000 behind a balancer that asks /readyz. A second signal ends it.',
    }),
    drainTimeoutMs: Milliseconds({
      default: 20_000,
      description: 'Time that requests in flight get when the service stops.',
    }),
  },
  { additionalProperties: false },
);
export type Settings = Readonly<Static<typeof Settings>>;
