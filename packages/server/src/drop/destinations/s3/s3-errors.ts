import { S3ServiceException } from '@aws-sdk/client-s3';
import { DeliveryError } from '../destination.js';
import { explainFailure, quoteRemote } from '../explain-failure.js';

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
