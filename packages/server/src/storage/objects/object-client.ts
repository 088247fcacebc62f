import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import { boundAnswers } from '../../core/bound-answers.js';

export interface ObjectClientOptions {
  /** Empty: that of Amazon for the region. */
  readonly endpoint: string;
  readonly region: string;
  readonly isPathStyle: boolean;
  /** Given by tests; else the usual places: environment, shared files, web identity, container, machine. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

const connectTimeoutMs = 5_000;
/** Without a byte in either direction, or with a byte now and then of headers without an end. */
const stallTimeoutMs = 20_000;
/** Connections to the store at once. */
const maxSockets = 64;

const nothing = () => undefined;
/** The library would print errors; here they are thrown and reported once. */
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Amazon's client, as a store of ours needs it: it repeats nothing by itself, since streams cannot be sent twice. */
export function createObjectClient({
  endpoint,
  region,
  isPathStyle,
  credentials,
}: ObjectClientOptions): S3Client {
  // Suppresses the warning that later versions of the library need a later Node: the version is pinned and supports this one.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const sockets = { keepAlive: true, maxSockets };
  return new S3Client({
    ...(endpoint === '' ? {} : { endpoint }),
    ...(credentials ? { credentials } : {}),
    region,
    forcePathStyle: isPathStyle,
    maxAttempts: 1,
    // Content-MD5 is set explicitly. Of the checksums that the library would add, wrong ones are accepted by other stores.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    disableS3ExpressSessionAuth: true,
    logger: silent,
    requestHandler: {
      httpAgent: boundAnswers(new HttpAgent(sockets), stallTimeoutMs),
      httpsAgent: boundAnswers(new HttpsAgent(sockets), stallTimeoutMs),
      connectionTimeout: connectTimeoutMs,
      socketTimeout: stallTimeoutMs,
    },
  });
}
