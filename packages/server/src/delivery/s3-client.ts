import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { boundAnswers } from '../core/bound-answers.js';
import { DeliveryError, type DeliveryLimits } from './destination.js';
import type { S3Settings } from './destination-settings.js';
import { explainFailure, quoteRemote } from './explain-failure.js';

interface S3ClientOptions {
  readonly settings: S3Settings;
  readonly secretAccessKey: string;
  readonly isPathStyle: boolean;
  readonly limits: DeliveryLimits;
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
}

const nothing = () => undefined;
/** The library would print errors; here they are thrown and reported once. */
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

export function createS3Client(options: S3ClientOptions): S3Client {
  const { settings, secretAccessKey, isPathStyle, limits, httpAgent, httpsAgent } = options;
  // Suppresses the warning that later versions of the library need a later Node: the version is pinned and supports this one.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  return new S3Client({
    endpoint: settings.endpoint,
    region: settings.region,
    forcePathStyle: isPathStyle,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey },
    // A stream cannot be sent twice; the whole delivery is retried.
    maxAttempts: 1,
    // The checksums are set explicitly. Many stores do not support those that the library would add.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    disableS3ExpressSessionAuth: true,
    logger: silent,
    requestHandler: {
      httpAgent: boundAnswers(httpAgent, limits.stallTimeoutMs),
      httpsAgent: boundAnswers(httpsAgent, limits.stallTimeoutMs),
      connectionTimeout: limits.connectTimeoutMs,
      socketTimeout: limits.stallTimeoutMs,
    },
  });
}

const credentialErrors: ReadonlySet<string> = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'AuthorizationHeaderMalformed',
]);

export function explainS3Failure(error: unknown, whatFailed: string): DeliveryError {
  if (!(error instanceof S3ServiceException)) {
    if (error instanceof Error && error.name === 'TimeoutError') {
      return new DeliveryError('unreachable', `the store stopped answering while ${whatFailed}`);
    }
    return explainFailure(error);
  }
  const status = error.$metadata.httpStatusCode ?? 0;
  const words = [error.name, error.message === error.name ? '' : error.message].join(' ');
  const said = `the store says ${quoteRemote(words)} (HTTP ${status}) while ${whatFailed}`;
  if (error.name === 'NoSuchBucket')
    return new DeliveryError('settings', `${said}; check the name of the bucket`);
  if (error.name === 'KeyTooLongError')
    return new DeliveryError('settings', `${said}; shorten prefix or path template`);
  if (credentialErrors.has(error.name))
    return new DeliveryError('credentials', `${said}; check region, access key and its secret`);
  if (error.name === 'BadDigest' || error.name === 'XAmzContentSHA256Mismatch')
    return new DeliveryError('mismatch', said);
  if (status === 507 || /quota|storage ?full/i.test(error.name)) return new DeliveryError('full', said);
  if (status >= 300 && status < 400)
    return new DeliveryError('settings', `${said}; check endpoint and region`);
  if (status === 429 || status >= 500 || status === 0) return new DeliveryError('unreachable', said);
  return new DeliveryError(
    'refused',
    `${said}; the access key needs the rights to write and read objects, list the bucket, and for the test to delete`,
  );
}

export function statusOf(error: unknown): number | null {
  return error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? null) : null;
}
